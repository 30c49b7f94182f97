"""Funnel, playback and sessions of people, with simulated ones if asked; and which rules a study asks."""

from typing import Any

import pytest

from accounts.models import Role
from studies import stored_counts
from studies.models import Fielding
from studies.stored_counts import count_due
from testing.tables import rows_of
from testing.votes import Field
from testing.web import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def shown(field: Field, **query: str) -> tuple[int, int, int, int, list[str]]:
    """Started, used, plays, sessions listed, and their origins."""
    client = signed_in(f"ada{len(query)}", Role.ADMIN)
    base = f"/api/research/studies/{field.study.sha256}/conformance"
    body: Any = client.get(base, query).json()
    listed = client.get(f"{base}/sessions", query).json()
    [group] = body["groups"]
    origins = sorted({session["origin"] for session in listed["sessions"]})
    return group["started"], group["used"], rows_of(body["watched"])[0]["played"], listed["total"], origins


@pytest.fixture
def field(db: None) -> Field:
    field = Field()
    field.play(field.rate("QUIC", 6).trial)
    for score in (1, 2):
        field.play(field.rate("QUIC", score, by=field.session(origin="simulated")).trial)
    return field


def test_simulated_sessions_are_left_out_unless_asked_for(field: Field) -> None:
    assert shown(field) == (1, 1, 1, 1, ["person"])
    assert shown(field, origin="all") == (3, 3, 3, 3, ["person", "simulated"])


def test_so_they_are_where_the_worker_counted(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "LARGE", 1)
    Fielding.objects.update(sessions_simulated=2)
    assert count_due() > 0
    assert shown(field) == (1, 1, 1, 1, ["person"])
    assert shown(field, origin="all") == (3, 3, 3, 3, ["person", "simulated"])


def test_rules_say_whether_the_study_asks_them(field: Field) -> None:
    client = signed_in("ada", Role.ADMIN)
    rules = client.get(f"/api/research/studies/{field.study.sha256}/conformance").json()["rules"]
    assert {rule["rule"]: rule["asked"] for rule in rules} == {
        **dict.fromkeys(("R1", "R2", "R3", "R5", "R8", "R9"), True),
        **dict.fromkeys(("R4", "R6", "R7"), False),
    }


def test_each_session_says_how_alike_its_answers_are(db: None) -> None:
    field = Field()
    ann = field.session()
    field.rate("QUIC", 6, by=ann)
    field.rate("TCP+", 2, by=ann)
    field.compare("left", by=ann)
    field.session()
    client = signed_in("ada", Role.ADMIN)
    path = f"/api/research/studies/{field.study.sha256}/conformance/sessions"
    shares = {row["session_id"]: row["same_answer_share"] for row in client.get(path).json()["sessions"]}
    assert shares.pop(str(ann.pk)) == pytest.approx(2 / 3)
    assert list(shares.values()) == [None]
