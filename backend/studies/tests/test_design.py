"""A frozen study is read once per digest and process, however often its design is needed."""

from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from eyelevel_core.study.frozen import read_frozen
from studies import models
from studies.models import Fielding, Study
from testing import studies
from testing.web import Browser, participant

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


@pytest.fixture
def reads(fielding: Fielding, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mock]:
    """Counts how often a frozen study is parsed and resolved, from an empty cache on."""
    counted = Mock(wraps=read_frozen)
    monkeypatch.setattr("studies.models.read_frozen", counted)
    models.forget_designs()
    yield counted
    models.forget_designs()


def test_a_session_start_and_a_reload_read_the_study_once(fielding: Fielding, reads: Mock) -> None:
    browser, _ = participant(fielding.slug, Browser())
    assert reads.call_count == 1
    assert browser.get("/api/session").status_code == 200
    participant(fielding.slug, Browser())
    assert reads.call_count == 1


def test_studies_of_other_digests_are_read_themselves(fielding: Fielding, reads: Mock) -> None:
    other = studies.study(name="other", seed=8)
    loaded = Study.objects.get(pk=fielding.study_id)
    assert (other.design.name, loaded.design.name) == ("other", "pilot")
    # another instance of the same study has the same design
    assert Study.objects.get(pk=other.pk).design is other.design
    assert reads.call_count == 2


def test_the_cache_is_bounded() -> None:
    assert models._content.cache_parameters()["maxsize"] == models.CACHED_STUDIES
