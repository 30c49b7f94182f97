"""A verdict is given once, kept, and never taken back in what others already rely on."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Role
from conformance import tasks, verdicts
from conformance.evidence import gather as gather_evidence
from conformance.models import Verdict
from conformance.pending import to_judge
from conformance.verdicts import judge_session
from eyelevel_stats.conformance import rules
from ratings.models import AppendOnlyError, Exclusion, Play, Session, Trial
from ratings.plays import Playback, take_play
from studies.models import Study
from testing import studies
from testing.people import AS_PREVIEW, RATE, RULES, Person, findings_of, play, published
from testing.threads import at_once
from testing.web import Browser, post, put, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def study(db: None) -> Study:
    return published()


def person(**planted: Any) -> Person:
    browser = Browser()

    def call(method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = (post if method == "POST" else put)(browser, path, body)
        return answer.status_code, answer.json() if answer.content else None

    return Person(call, **planted)


def walked(study: Study, **planted: Any) -> Session:
    return person(**planted).walk(study.fieldings.get().slug)


def late_play(session: Session, position: int) -> Play:
    """A play that was under way when the session was judged."""
    body = play(position, {})
    started_at, ended_at = (datetime.fromisoformat(body[name]) for name in ("started_at", "ended_at"))
    playback = Playback(uuid.uuid4(), started_at, ended_at, replay=body["replay"], evidence=body["evidence"])
    return take_play(session, position, playback)


def test_judging_again_adds_nothing(study: Study) -> None:
    session = walked(study, choice="animals")
    first = judge_session(session.pk)
    assert judge_session(session.pk) == first
    tasks.catch_up()
    assert Verdict.objects.count() == Exclusion.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_are_one_verdict(study: Study) -> None:
    session = walked(study, choice="animals")
    assert len({verdict.pk for verdict in at_once(lambda _: judge_session(session.pk)) if verdict}) == 1
    assert Verdict.objects.count() == Exclusion.objects.count() == 1


def test_only_completed_sessions_are_judged(study: Study) -> None:
    session = walked(study)
    Session.objects.filter(pk=session.pk).update(state="started")
    assert judge_session(session.pk) is None
    Session.objects.filter(pk=session.pk).update(state="completed", **AS_PREVIEW)
    assert judge_session(session.pk) is None
    tasks.catch_up()
    assert not Verdict.objects.exists()


def test_a_late_play_pays_but_does_not_bring_back(study: Study) -> None:
    session = walked(study, plays={6: {"complete": False}})
    first = judge_session(session.pk)
    assert first is not None
    assert (first.accepted, first.used) == (False, False)
    late_play(session, 6)
    tasks.catch_up()
    second = Verdict.objects.filter(session=session).latest("id")
    # others have been asked in this participant's place
    assert (second.pk != first.pk, second.accepted, second.used) == (True, True, False)
    assert [finding["broken"] for finding in findings_of(second)] == ["no"] * 9
    assert list(Exclusion.objects.values_list("rule", flat=True)) == ["R1"]
    tasks.catch_up()
    assert Verdict.objects.count() == 2


def test_a_late_play_pays_whoever_had_none(study: Study) -> None:
    session = walked(study, plays=dict.fromkeys(range(1, RATE + 3)))
    first = judge_session(session.pk)
    assert first is not None
    assert (first.accepted, first.used, findings_of(first)[0]["trials"]) == (False, False, [1, 2, 3, 4, 5, 6])
    late_play(session, 1)
    tasks.catch_up()
    second = Verdict.objects.filter(session=session).latest("id")
    assert (second.accepted, second.used, findings_of(second)[0]["broken"]) == (True, False, "unknown")


def test_who_skips_every_trial_is_neither_paid_nor_used(db: None) -> None:
    compare = {"kind": "compare", "count": 4, "training": 0, "repeats": 0, "clips": "random", "answer_from": "end"}
    narrow = published(trials=[compare | {"identical": 0}])
    who = person()
    trials = who.begin(narrow.fieldings.get().slug)["trials"]
    Trial.objects.filter(position=4).update(role="control")
    who.ok("PUT", "/api/session/controls/attention", who.mine | {"choice": "websites"})
    who.ok("POST", "/api/session/finish", who.mine | {"skipped": [trial["position"] for trial in trials]})
    session = Session.objects.get()
    verdict = judge_session(session.pk)
    assert verdict is not None
    assert (verdict.accepted, verdict.used) == (False, False)
    assert list(Exclusion.objects.values_list("rule", flat=True)) == ["nothing_rated"]
    # its control video was among them
    assert (findings_of(verdict)[5]["broken"], findings_of(verdict)[5]["unknown"]) == ("unknown", 1)
    assert judge_session(session.pk) == verdict


def test_a_session_that_left_trials_out_is_told_apart(study: Study) -> None:
    owner = signed_in("olga", Role.RESEARCHER)
    Study.objects.update(published_by=owner.session["_auth_user_id"])
    whole = walked(study)
    narrow = person()
    session = narrow.begin(study.fieldings.get().slug)
    narrow.ok("PUT", "/api/session/controls/attention", narrow.mine | {"choice": "websites"})
    for trial in session["trials"][:RATE]:
        narrow.answer(trial)
    narrow.ok("POST", "/api/session/finish", narrow.mine | {"skipped": [RATE + 1, RATE + 2]})
    tasks.catch_up()
    base = f"/api/research/studies/{study.sha256}/conformance"
    [group] = owner.get(base).json()["groups"]
    assert (group["completed"], group["accepted"], group["skipped"]) == (2, 2, 1)
    skipped = {row["session_id"]: row["skipped"] for row in owner.get(f"{base}/sessions").json()["sessions"]}
    assert skipped == {str(whole.pk): 0, session["id"]: 2}


@pytest.mark.django_db(transaction=True)
def test_a_play_that_is_being_stored_meanwhile_is_not_missed(study: Study) -> None:
    session = walked(study, plays={6: {"complete": False}})
    first = judge_session(session.pk)
    assert first is not None
    assert (first.accepted, first.plays) == (False, 6)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            late_play(session, 6)
            judging = pool.submit(judged_in_thread, session)
            # waits for the session's row, which is locked here
            with pytest.raises(TimeoutError):
                judging.result(timeout=0.5)
        assert judging.result(timeout=20) == 7
    assert not to_judge().exists()


def judged_in_thread(session: Session) -> int | None:
    """The number of plays that the verdict considered."""
    try:
        verdict = judge_session(session.pk)
        return None if verdict is None else verdict.plays
    finally:
        connection.close()


def test_the_search_for_missed_verdicts_reads_no_plays(study: Study) -> None:
    judge_session(walked(study).pk)
    with CaptureQueriesContext(connection) as asked:
        tasks.catch_up()
    [query] = asked
    assert not any(table in query["sql"] for table in ("ratings_trial", "ratings_play", "conformance_verdict"))
    missed = walked(study)
    assert list(to_judge()) == [missed]
    tasks.catch_up()
    assert not to_judge().exists()
    assert Verdict.objects.filter(session=missed).count() == 1


def test_a_verdict_that_fails_stays_due(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    session = walked(study)
    with monkeypatch.context() as patch:
        patch.setattr(verdicts, "gather", lambda _: 1 / 0)
        tasks.catch_up()
    assert list(to_judge()) == [session]


def test_a_rule_that_leaves_nobody_out_excludes_nobody(db: None) -> None:
    lenient = published(conformance=RULES | {"R5": {"use": False, "pay": True}})
    verdict = judge_session(walked(lenient, took=timedelta(minutes=91)).pk)
    assert verdict is not None
    assert (verdict.accepted, verdict.used, findings_of(verdict)[4]["broken"]) == (True, True, "yes")
    assert not Exclusion.objects.exists()


def test_slots_are_given_back_once(study: Study) -> None:
    bad = walked(study, choice="animals")
    judge_session(bad.pk)
    assert studies.slot_counts()["filled"] == 0
    walked(study)
    filled = studies.slot_counts()["filled"]
    late_play(bad, 1)
    tasks.catch_up()
    assert studies.slot_counts()["filled"] == filled > 0


def test_one_that_cannot_be_judged_keeps_nobody_waiting(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, fine = walked(study), walked(study)
    gather = gather_evidence

    def gather_unless_broken(session: Session) -> Any:
        if session.pk == broken.pk:
            raise ValueError("evidence of another planet")
        return gather(session)

    monkeypatch.setattr(verdicts, "gather", gather_unless_broken)
    tasks.catch_up()
    assert [verdict.session_id for verdict in Verdict.objects.all()] == [fine.pk]


def test_no_number_of_sessions_that_cannot_be_judged_stops_the_catch_up(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, fine = [walked(study) for _ in range(2)], walked(study)
    gather = gather_evidence

    def gather_but_broken(session: Session) -> Any:
        if session in broken:
            raise ValueError("evidence of another planet")
        return gather(session)

    monkeypatch.setattr(verdicts, "gather", gather_but_broken)
    monkeypatch.setattr(tasks, "AT_MOST", 2)
    tasks.catch_up()
    assert not Verdict.objects.exists()
    tasks.catch_up()
    assert [verdict.session_id for verdict in Verdict.objects.all()] == [fine.pk]
    # they stay due until the fault is fixed
    monkeypatch.setattr(verdicts, "gather", gather)
    tasks.catch_up()
    assert not to_judge().exists()
    assert Verdict.objects.count() == 3


def test_rules_of_an_unknown_version_leave_the_verdict_and_are_tried_once(
    study: Study, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = walked(study)
    first = judge_session(session.pk)
    monkeypatch.setattr(rules, "VERSION", 4)
    late_play(session, 1)
    tasks.catch_up()
    assert list(Verdict.objects.filter(session=session)) == [first]
    assert not to_judge().exists()
    [line] = caplog.records
    assert (line.levelname, line.exc_info) == ("WARNING", None)
    assert line.getMessage() == (
        f"Session {session.pk} is not judged: conformance.version is 3, but only version 4 is known; update Eyelevel."
    )


def test_a_verdict_is_never_changed(study: Study) -> None:
    verdict = judge_session(walked(study).pk)
    assert verdict is not None
    verdict.accepted = False
    with pytest.raises(AppendOnlyError):
        verdict.save()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE conformance_verdict SET accepted = false")
