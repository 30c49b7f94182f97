"""The researcher's page counts how well films were played, per group and per session."""

from typing import Any

import pytest

from accounts.models import Role
from privacy.erasure import erase
from privacy.models import By
from ratings.models import Play
from testing.tables import rows_of
from testing.votes import Field
from testing.web import signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]

STALL = [{"at_ms": 1, "ms": 200}]
NONE = {"played": 0, "off_speed": 0, "stalled": 0, "dropped": 0, "unknown": 0}


def test_plays_are_counted_by_what_went_wrong() -> None:
    rosa = signed_in("rosa", Role.RESEARCHER)
    field = Field()
    good, bad, erased = field.rate("QUIC", 5), field.rate("QUIC", 1), field.rate("QUIC", 1)
    field.play(good.trial)
    field.play(good.trial, replay=True, frames_dropped=1)
    field.play(bad.trial, off_speed=True, off_speed_ms=60, stalls=STALL + STALL)
    field.play(bad.trial, off_speed=True, off_speed_ms=60, frames_dropped=2)
    field.play(erased.trial, stalls=STALL)
    older: dict[str, Any] = {"started_at": bad.answered_at, "replay": False, "frames_dropped": None}
    Play.objects.create(id=bad.id, trial=bad.trial, **older)
    # too few frames to know, and so not off speed
    field.play(good.trial, replay=True, off_speed=False, off_speed_ms=None)
    silent = field.session()
    erase(erased.session.participant, by=By.PARTICIPANT)
    base = f"/api/research/studies/{field.study.sha256}/conformance"
    watched = rosa.get(base, {"lang": "de"}).json()["watched"]
    assert rows_of(watched) == [
        {"group": "volunteer", "played": 6, "off_speed": 2, "stalled": 1, "dropped": 2, "unknown": 2}
    ]
    assert [column["title"] for column in watched["columns"]][:2] == ["Gruppe", "Wiedergaben"]
    counts = {row["session_id"]: row["watched"] for row in rosa.get(f"{base}/sessions").json()["sessions"]}
    assert counts == {
        str(good.session_id): NONE | {"played": 3, "dropped": 1, "unknown": 1},
        str(bad.session_id): NONE | {"played": 3, "off_speed": 2, "stalled": 1, "dropped": 1, "unknown": 1},
        str(silent.pk): NONE,
    }
