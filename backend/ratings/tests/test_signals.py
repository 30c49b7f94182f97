"""A stored vote is told to others, and their trouble is none of the participant's."""

from typing import Any

import pytest

from ratings.models import Vote
from ratings.signals import vote_stored
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def notified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    heard: list[str] = []

    def listen(*, study_sha256: str, **_: Any) -> None:
        heard.append(study_sha256)

    def fall_over(**_: Any) -> None:
        raise RuntimeError("the queue is gone")

    monkeypatch.setattr(vote_stored, "receivers", [])
    vote_stored.connect(fall_over, weak=False)
    vote_stored.connect(listen, weak=False)
    vote_stored.sender_receivers_cache.clear()
    return heard


def test_listeners_hear_of_a_vote_after_it_is_stored(
    notified: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    studies.visible_batch()
    study = studies.study()
    session, _ = studies.start(study.fieldings.get())
    with django_capture_on_commit_callbacks(execute=True):
        studies.vote(session.trials.get(position=1))
        assert notified == []
    assert notified == [study.sha256]
    assert Vote.objects.count() == 1
