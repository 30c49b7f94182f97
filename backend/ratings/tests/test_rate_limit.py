"""Whoever begins and begins without playing anything holds a study up for a moment, not for hours."""

import threading
import time
import uuid
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from eyelevel_core.assignment.lease import FIRST_LEASE, GRACE, first_lease
from lib.problems import Problem
from ratings import rate_limit, sessions, slots
from ratings.models import Session, Trial, Vote
from ratings.tombstones import living
from studies.models import Fielding, Slot
from testing import studies
from testing.web import SCREEN, participant, play_body, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def age(session: Session, by: timedelta) -> None:
    """The session is so much older, and has done nothing since."""
    started_at = timezone.now() - by
    lease = first_lease(started_at)
    rows = Session.objects.filter(pk=session.pk)
    rows.update(started_at=started_at, lease_until=lease.until, yields_at=lease.yields_at)


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
    age(begun[0], GRACE - timedelta(seconds=30))
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    response = post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["retry"]) == (429, "busy", True)
    assert (response.headers["Retry-After"], error["details"]["retry_after_s"]) == ("30", 30)
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == "open"


def test_a_session_without_a_sign_makes_room_and_may_still_go_on(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    age(begun[3], GRACE + timedelta(seconds=1))
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
        age(studies.start(fielding)[0], GRACE + timedelta(seconds=1))
    assert Slot.objects.filter(state="open").count() == 0
    studies.start(fielding)
    assert Slot.objects.filter(state="open").count() == 99 * 6


@pytest.mark.parametrize("sign", ["play", "vote"])
def test_progress_that_the_servers_clock_allows_keeps_the_slots(fielding: Fielding, sign: str) -> None:
    for _ in range(6):
        session, _ = studies.start(fielding)
        age(session, GRACE + timedelta(seconds=1))
        first = studies.watched(session.trials.get(position=1))
        if sign == "play":
            studies.play(first)
        else:
            studies.vote(first)
    assert refused(fielding).code == "not_open"
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == "full"


def shown_state(fielding: Fielding) -> str:
    """What the page of the study goes by, which begins nothing unless it is `open`."""
    state: str = stranger().get(f"/api/participate/{fielding.slug}").json()["state"]
    return state


def time_passes(by: timedelta) -> None:
    """Everything that is stored of sessions is so much older."""
    names = ("started_at", "lease_until", "yields_at")
    Session.objects.update(**{name: F(name) - by for name in names})
    Trial.objects.filter(clip_sent_at__isnull=False).update(clip_sent_at=F("clip_sent_at") - by)


@pytest.mark.parametrize("fetches", [False, True])
def test_one_browser_does_not_hold_a_study_shut_by_a_few_calls_per_seat(db: None, *, fetches: bool) -> None:
    """The attack of one client: sessions, the person and a play, for all seats; meanwhile somebody else takes part."""
    quota = 40
    studies.visible_batch()
    study = studies.study(quota={"sessions": quota + 1})
    fielding = study.fieldings.get()
    honest, honest_session = participant(fielding.slug)
    calls = 0
    for _ in range(quota):
        client, session = participant(fielding.slug)
        assert put(client, "/api/session/person", {"answers": {"age": "old"}}).status_code == 204
        if fetches:
            # as if the clip was fetched, and its length waited for
            studies.watched(Trial.objects.get(session=session["id"], position=1), minutes=0.1)
        first = session["trials"][0]
        assert put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(first)).status_code == 200
        calls += 3 + fetches
    # others feel this: who takes part goes on, and who arrives is asked to wait, or told so where clips were fetched
    for trial in honest_session["trials"]:
        assert put(honest, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial)).status_code == 200
    assert post(honest, "/api/session/finish", {"skipped": []}).status_code == 200
    assert begin_by_http(fielding).status_code == (409 if fetches else 429)
    assert shown_state(fielding) == ("full" if fetches else "open")
    # and gets in within two minutes, or five where clips were fetched and their length waited for: the page says so,
    # and would send nobody to the server otherwise
    time_passes(timedelta(minutes=5 if fetches else 2, seconds=10))
    assert shown_state(fielding) == "open"
    assert begin_by_http(fielding).status_code == 201
    assert calls == quota * (4 if fetches else 3)


@pytest.mark.parametrize("over", ["yields_at", "lease_until"])
def test_the_page_of_a_full_study_opens_once_somebody_who_played_has_to_yield(fielding: Fielding, over: str) -> None:
    """People who stop after a video or two do not send everybody after them away until beat releases their slots."""
    begun = [studies.start(fielding)[0] for _ in range(6)]
    for session in begun:
        studies.play(studies.watched(session.trials.get(position=1)))
    assert shown_state(fielding) == "full"
    Session.objects.filter(pk=begun[2].pk).update(**{over: timezone.now() - timedelta(seconds=1)})
    assert shown_state(fielding) == "open"
    assert begin_by_http(fielding).status_code == 201
    # who has completed keeps what they filled, and their times no longer matter
    Session.objects.update(state="completed", completed_at=timezone.now(), **{over: timezone.now() - timedelta(days=1)})
    assert shown_state(fielding) == "full"


@pytest.mark.parametrize("sign", ["play", "vote", "play of a clip sent just now"])
def test_calls_that_nobody_can_have_watched_a_clip_for_keep_nothing(fielding: Fielding, sign: str) -> None:
    for _ in range(6):
        session, _ = studies.start(fielding)
        age(session, GRACE + timedelta(seconds=1))
        first = session.trials.get(position=1)
        if sign == "vote":
            studies.vote(first)
        else:
            studies.play(studies.watched(first, minutes=0) if "sent" in sign else first)
    assert studies.start(fielding)[0].trials.filter(slot__isnull=False).count() == 6


def test_whoever_was_offline_and_sends_everything_at_once_keeps_the_slots(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    age(session, timedelta(minutes=4))
    for trial in session.trials.all():
        studies.watched(trial, minutes=3)
    session.refresh_from_db()
    for trial in session.trials.all():
        studies.vote(trial)
    session.refresh_from_db()
    assert living(session.lease_until) - timezone.now() > timedelta(minutes=28)
    assert living(session.yields_at) - timezone.now() > timedelta(minutes=10)


def test_answers_about_the_person_keep_the_slots_for_as_long_again_once(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    for _ in range(3):
        sessions.answer_person(session, {"age": "old"})
    session.refresh_from_db()
    answered_at = living(session.person.answered_at)
    assert living(session.yields_at) - answered_at == pytest.approx(GRACE, abs=timedelta(seconds=1))
    age(session, timedelta(minutes=9))
    start = living(Session.objects.get().started_at)
    session.refresh_from_db()
    sessions.answer_person(session, {"age": "old"})
    session.refresh_from_db()
    assert (session.lease_until, session.yields_at) == (start + 2 * FIRST_LEASE, start + 2 * GRACE)


def test_the_first_lease_is_short_and_a_play_makes_it_long(fielding: Fielding) -> None:
    before = timezone.now()
    session, _ = studies.start(fielding)
    assert before <= living(session.lease_until) - FIRST_LEASE <= timezone.now()
    studies.play(studies.watched(session.trials.get(position=1)))
    session.refresh_from_db()
    assert living(session.lease_until) - timezone.now() > 2 * FIRST_LEASE


def test_an_ended_lease_makes_room_at_once(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    for session in begun:
        studies.play(studies.watched(session.trials.get(position=1)))
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
    wait_s = refused(fielding).details["retry_after_s"]
    assert isinstance(wait_s, int)
    assert wait_s <= rate_limit.LONGEST_WAIT_S
    Session.objects.filter(pk=begun[1].pk).update(started_at=timezone.now() - timedelta(seconds=61))
    assert studies.start(fielding)[0].trials.count() == 6


def test_five_hundred_a_minute_are_not_too_many() -> None:
    assert rate_limit.PER_MINUTE >= 2 * 500


def begin_by_http(fielding: Fielding) -> Any:
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    return post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)


def test_whoever_finds_the_process_busy_is_sent_away_at_once(
    fielding: Fielding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "_turns", BoundedSemaphore(1))
    with rate_limit.in_turn():
        response = begin_by_http(fielding)
    assert (response.status_code, response.json()["error"]["code"]) == (429, "busy")
    assert response.headers["Retry-After"] == str(rate_limit.SHORTEST_WAIT_S)
    # the turn is given back, also after a failure
    with pytest.raises(ValueError, match="mine"), rate_limit.in_turn():
        raise ValueError("mine")
    assert begin_by_http(fielding).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_whoever_would_wait_for_a_lock_is_sent_away_soon(transactional_db: None) -> None:
    """Somebody holds the fielding's row; an assignment is claimed without it, the rest of one is not."""
    studies.visible_batch()
    fielding = studies.study(quota={"sessions": 1}).fieldings.get()
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            slots.lock(fielding.pk)
            held.set()
            done.wait(timeout=20)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        held.wait(timeout=20)
        assert begin_by_http(fielding).status_code == 201
        began = time.monotonic()
        response = begin_by_http(fielding)
        waited_s = time.monotonic() - began
    finally:
        done.set()
        holder.join()
    assert (response.status_code, response.json()["error"]["code"]) == (429, "busy")
    assert 0.4 < waited_s < 5
