"""Nothing that reaches a participant's browser tells stack, network, metric or side."""

import re
from typing import Any

import pytest

from studies.models import Fielding
from testing import studies
from testing.batches import NETWORKS, SITES, STACKS
from testing.web import participant, play_body, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

NAMES = "|".join(map(re.escape, (*STACKS, *NETWORKS, *SITES)))
# names as whole words: "lte" is inside many a German word
TELLING = re.compile(rf"\b({NAMES})(?!\w)|fvc|vc85|lvc|plt|\bsi\b|_ms|stack|network", re.IGNORECASE)


@pytest.fixture
def traffic(db: None) -> list[str]:
    """Every answer, with its headers, of one whole session."""
    studies.visible_batch()
    slug = Fielding.objects.get(study=studies.study()).slug
    seen = [stranger().get(f"/api/participate/{slug}")]
    client, session = participant(slug)
    seen.append(client.get("/api/session"))
    seen.append(put(client, "/api/session/person", {"answers": {"age": "old"}}))
    for number, trial in enumerate(session["trials"]):
        seen.append(put(client, f"/api/session/plays/00000000-0000-4000-8000-00000000000{number}", play_body(trial)))
        seen.append(put(client, f"/api/session/votes/00000000-0000-4000-8000-00000000000{number}", vote_body(trial)))
        seen.append(put(client, f"/api/session/votes/00000000-0000-4000-9000-00000000000{number}", vote_body(trial)))
    seen.append(post(client, "/api/session/finish", {"skipped": []}))
    assert [response.status_code for response in seen].count(409) == 6
    return [f"{dict(response.headers)}\n{response.content.decode()}" for response in seen]


def test_a_whole_session_tells_nothing(traffic: list[str]) -> None:
    told = [found.group() for answer in traffic for found in TELLING.finditer(answer)]
    assert told == []
    assert len(traffic) == 22


@pytest.mark.parametrize("leak", ["QUIC", "lte", '"si_ms": 3', "Alpha", "stacks"])
def test_the_search_finds_a_leak(traffic: list[str], leak: Any) -> None:
    assert TELLING.search(traffic[1] + leak) is not None
