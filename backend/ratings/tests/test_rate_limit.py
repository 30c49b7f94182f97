"""Whoever begins and begins without playing anything holds a study up for a moment, not for hours."""

from datetime import timedelta

import pytest
from django.utils import timezone

from lib.problems import Problem
from ratings import rate_limit, sessions
from ratings.models import Session, Vote
from ratings.tombstones import living
from studies.models import Fielding, Slot
from testing import studies
from testing.web import SCREEN, post, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def age(session: Session, by: timedelta) -> None:
    Session.objects.filter(pk=session.pk).update(started_at=timezone.now() - by)


def refused(fielding: Fielding) -> Problem:
    with pytest.raises(Problem) as caught:
        studies.start(fielding)
    return caught.value


def test_who_comes_while_all_slots_are_just_taken_is_asked_to_wait_a_moment(
    fielding: Fielding, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
    age(begun[0], rate_limit.GRACE - timedelta(seconds=30))
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    response = post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["retry"]) == (429, "busy", True)
    assert (response.headers["Retry-After"], error["details"]["retry_after_s"]) == ("30", 30)
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == "open"


def test_a_session_without_a_sign_makes_room_and_may_still_go_on(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    age(begun[3], rate_limit.GRACE + timedelta(seconds=1))
    new, _ = studies.start(fielding)
    assert all(trial.slot_id is not None for trial in new.trials.all())
    assert all(trial.slot_id is None for trial in begun[3].trials.all())
    assert all(trial.slot_id is not None for other in (*begun[:3], *begun[4:]) for trial in other.trials.all())
    studies.vote(begun[3].trials.get(position=1))
    assert Vote.objects.count() == 1


def test_a_hundred_calls_that_play_nothing_do_not_keep_a_study_full(db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(quota={"sessions": 100}).fieldings.get()
    for _ in range(100):
        age(studies.start(fielding)[0], rate_limit.GRACE + timedelta(seconds=1))
    assert Slot.objects.filter(state="open").count() == 0
    studies.start(fielding)
    assert Slot.objects.filter(state="open").count() == 99 * 6


@pytest.mark.parametrize("sign", ["play", "vote", "person"])
def test_a_sign_of_life_keeps_the_slots(fielding: Fielding, sign: str) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    for session in begun:
        first = session.trials.get(position=1)
        if sign == "play":
            studies.play(first)
        elif sign == "vote":
            studies.vote(first)
        else:
            sessions.answer_person(session, {"age": "old"})
        age(session, rate_limit.GRACE + timedelta(seconds=1))
    assert refused(fielding).code == "not_open"
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == "full"


def test_the_first_lease_is_short_and_a_play_makes_it_long(fielding: Fielding) -> None:
    before = timezone.now()
    session, _ = studies.start(fielding)
    assert before <= living(session.lease_until) - rate_limit.FIRST_LEASE <= timezone.now()
    studies.play(session.trials.get(position=1))
    session.refresh_from_db()
    assert living(session.lease_until) - timezone.now() > 2 * rate_limit.FIRST_LEASE


def test_an_ended_lease_makes_room_at_once(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    for session in begun:
        studies.play(session.trials.get(position=1))
    assert refused(fielding).code == "not_open"
    Session.objects.filter(pk=begun[0].pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    new, _ = studies.start(fielding)
    assert new.trials.filter(slot__isnull=False).count() == 6


def test_more_beginnings_a_minute_than_any_lecture_hall_makes_wait(
    fielding: Fielding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "PER_MINUTE", 3)
    begun = [studies.start(fielding)[0] for _ in range(3)]
    assert refused(fielding).code == "busy"
    studies.play(begun[0].trials.get(position=1))
    studies.start(fielding)
    assert refused(fielding).details["retry_after_s"] <= rate_limit.LONGEST_WAIT_S
    Session.objects.filter(pk=begun[1].pk).update(started_at=timezone.now() - timedelta(seconds=61))
    assert studies.start(fielding)[0].trials.count() == 6
