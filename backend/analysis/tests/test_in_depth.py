"""Tables in depth: when they are asked for, who computes them, and how failures are stored."""

import signal
import sys
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.test import Client
from kombu.exceptions import OperationalError

from analysis import tasks
from analysis.computing import in_depth, in_depth_attempts, in_depth_runs
from analysis.computing.in_depth_attempts import run_if_due
from analysis.models import AnalysisState, InDepthResult, InDepthState, Result, ResultOrigin
from config.celery import app
from lib import leases, queued_jobs
from lib.leases import Lease, LostLeaseError
from studies.models import Fielding, FieldingState
from testing.workers import start

from .in_depth_cases import H1, NOW, Clock, analysed, ask_api, close, closed, planned

pytestmark = [pytest.mark.services, pytest.mark.django_db, pytest.mark.usefixtures("wanted")]


# --- when they are asked for ------------------------------------------------------------------------------------------


def test_nothing_is_computed_before_the_last_link_is_closed(wanted: list[int]) -> None:
    field = planned(H1)
    second = Fielding.objects.create(study=field.study, quota_sessions=2)
    result = analysed(field)
    close(field)
    assert wanted == []
    close(field, second)
    assert wanted == [result.pk]
    assert InDepthResult.objects.get().state == InDepthState.QUEUED


def test_a_result_that_is_published_after_closing_is_computed_and_the_superseded_one_goes(wanted: list[int]) -> None:
    field, first = closed(H1)
    field.rate("QUIC", 6)
    second = analysed(field)
    assert wanted == [first.pk, second.pk]
    assert [row.result_id for row in InDepthResult.objects.all()] == [second.pk]


def test_with_simulated_sessions_both_origins_are_computed_peoples_first(wanted: list[int]) -> None:
    field = planned(H1)
    field.rate("QUIC", 6, by=field.session(origin="simulated"))
    analysed(field)
    close(field)
    assert [Result.objects.get(pk=pk).origin for pk in wanted] == [ResultOrigin.PERSON, ResultOrigin.ALL]


def test_a_lost_message_is_sent_again_when_somebody_asks_a_minute_later(wanted: list[int]) -> None:
    field, result = closed(H1)
    queued = InDepthResult.objects.get().moved_at
    for later in (timedelta(), queued_jobs.UNANSWERED - timedelta(seconds=1)):
        in_depth.ask(field.study, queued + later)
    assert wanted == [result.pk]
    in_depth.ask(field.study, queued + queued_jobs.UNANSWERED)
    assert wanted == [result.pk, result.pk]


def test_closed_studies_that_nobody_asked_for_are_found_and_open_ones_are_not(wanted: list[int]) -> None:
    field, result = closed(H1)
    InDepthResult.objects.all().delete()
    wanted.clear()
    again = Fielding.objects.create(study=field.study, quota_sessions=2)
    in_depth.resume(NOW)
    assert wanted == []
    again.delete()
    in_depth.resume(NOW)
    assert wanted == [result.pk]
    in_depth.resume(NOW)
    assert wanted == [result.pk]


def test_the_periodic_task_resumes_and_computation_has_a_queue_of_its_own(wanted: list[int]) -> None:
    _, result = closed(H1)
    InDepthResult.objects.all().delete()
    wanted.clear()
    schedule = app.conf.beat_schedule["resume-tables-in-depth"]
    app.tasks[schedule["task"]]()
    assert wanted == [result.pk]
    queues = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if "." in name}
    long = {name for name, queue in queues.items() if queue == "in-depth"}
    # tasks of apps that nobody has imported are not listed
    others = {"backups.tasks.drill", "exports.tasks.make_export"}
    assert long | others == {tasks.compute_in_depth.name} | others


def test_a_dead_queue_keeps_nobody_from_closing(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def dead(_: int) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(tasks.compute_in_depth, "delay", dead)
    field, _ = closed(H1)
    assert field.fielding.state == FieldingState.CLOSED
    assert "The tables in depth of result" in caplog.text
    assert "could not be queued" in caplog.text


def test_a_study_that_was_opened_again_is_not_computed_and_is_asked_for_when_it_closes(wanted: list[int]) -> None:
    field, result = closed(H1)
    again = Fielding.objects.create(study=field.study, quota_sessions=2)
    assert not run_if_due(result.pk, Clock())
    close(field, again)
    assert wanted == [result.pk, result.pk]
    assert run_if_due(result.pk, Clock())


# --- who computes them ------------------------------------------------------------------------------------------------


def test_only_one_of_two_workers_gets_the_claim() -> None:
    _, result = closed(H1)
    assert in_depth.claim(result.pk, NOW) is not None
    assert in_depth.claim(result.pk, NOW) is None


def test_a_claim_that_is_not_renewed_is_taken_over_and_the_first_worker_stops(wanted: list[int]) -> None:
    field, result = closed(H1)
    first = in_depth.claim(result.pk, NOW)
    assert first is not None
    moved = NOW + timedelta(seconds=90)
    in_depth.progress(first, part="groups", parts_done=2, parts=8, now=NOW + timedelta(seconds=50))
    first.keep(moved)
    just_before = moved + leases.LEASE - timedelta(seconds=1)
    assert in_depth.claim(result.pk, just_before) is None
    in_depth.ask(field.study, just_before)
    assert wanted == [result.pk]
    in_depth.ask(field.study, moved + leases.LEASE)
    assert wanted == [result.pk, result.pk]
    assert in_depth.claim(result.pk, moved + leases.LEASE) is not None
    with pytest.raises(LostLeaseError):
        first.keep(moved)
    with pytest.raises(LostLeaseError):
        in_depth.progress(first, part="multiverse", parts_done=7, parts=8, now=moved)
    assert (InDepthResult.objects.get().part, InDepthResult.objects.get().parts_done) == ("", 0)


def test_progress_is_stored_before_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    _, result = closed(H1)
    seen: list[tuple[str, int, int]] = []
    original = in_depth.progress

    def noted(lease: Lease, **values: Any) -> None:
        original(lease, **values)
        row = InDepthResult.objects.get()
        seen.append((row.part, row.parts_done, row.parts))

    monkeypatch.setattr(in_depth, "progress", noted)
    assert run_if_due(result.pk, Clock())
    parts = len(seen)
    assert parts > 1
    assert seen[0] == ("distributions", 0, parts)
    assert seen[-1] == ("multiverse", parts - 1, parts)
    assert [done for _, done, _ in seen] == list(range(parts))
    assert not run_if_due(result.pk, Clock())


def test_a_result_that_is_superseded_meanwhile_publishes_nothing(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    _, result = closed(H1)
    monkeypatch.setattr(in_depth_runs, "compute", lambda *_, advance, **__: superseded(advance))

    def superseded(advance: Any) -> None:
        AnalysisState.objects.update(result=None)
        Result.objects.filter(pk=result.pk).delete()
        advance("distributions", 0, 8)

    assert not run_if_due(result.pk, Clock())
    assert InDepthResult.objects.count() == 0
    assert "no longer leased to this worker" in caplog.text
    assert not run_if_due(result.pk, Clock())


def test_a_failure_is_stored_as_one_sentence_and_logged_with_its_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: Any, as_rosa: Client
) -> None:
    field, result = closed(H1)
    monkeypatch.setattr(in_depth_runs, "compute", lambda *_, **__: 1 / 0)
    attempt_each_hour(result)
    assert caplog.text.count("ZeroDivisionError: ") == 3
    body = ask_api(as_rosa, field)
    assert (body["status"], body["error"]) == ("failed", in_depth_attempts.FAILED)
    assert body["tables"] == []


def test_a_computation_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: Any, **__: Any) -> None:
        raise SoftTimeLimitExceeded

    _, result = closed(H1)
    monkeypatch.setattr(in_depth_runs, "compute", slow)
    attempt_each_hour(result)
    assert InDepthResult.objects.get().error == in_depth_attempts.TOO_LONG


def test_a_worker_that_cannot_load_its_program_fails_three_times_and_says_why(
    monkeypatch: pytest.MonkeyPatch, as_rosa: Client
) -> None:
    field, result = closed(H1)
    # what `import` finds of a module that is not installed
    monkeypatch.setitem(sys.modules, "analysis.computing.in_depth_runs", None)
    clock = Clock()
    attempts = []
    monkeypatch.setattr(tasks, "timezone", SimpleNamespace(now=clock))
    for _ in range(5):
        tasks.compute_in_depth(result.pk)
        row = InDepthResult.objects.get()
        attempts.append(row.attempts)
        # the message is for the job that has failed
        assert (row.state == InDepthState.FAILED) == bool(row.error)
        clock.now += timedelta(hours=1)
    assert attempts == [1, 2, 3, 3, 3]
    body = ask_api(as_rosa, field)
    assert (body["status"], body["tables"]) == ("failed", [])
    assert body["error"].startswith(
        "The worker in-depth could not load its program (import of analysis.computing.in_depth_runs"
    )


def attempt_each_hour(result: Result) -> None:
    """As often as may be: a further call of the worker does nothing."""
    clock = Clock()
    for _ in range(5):
        assert not run_if_due(result.pk, clock)
        clock.now += timedelta(hours=1)


def test_a_failure_is_repeated_after_one_minute_and_after_five_more_and_then_final(
    monkeypatch: pytest.MonkeyPatch, wanted: list[int]
) -> None:
    closed(H1)
    begun: list[datetime] = []
    clock = Clock()

    def broken(*_: Any, **__: Any) -> None:
        begun.append(clock.now)
        raise ZeroDivisionError

    monkeypatch.setattr(in_depth_runs, "compute", broken)
    # nobody opens the page
    for _ in range(120):
        in_depth.resume(clock.now)
        while wanted:
            run_if_due(wanted.pop(), clock)
        clock.now += timedelta(seconds=15)
    assert [moment - NOW for moment in begun] == [timedelta(), timedelta(minutes=1), timedelta(minutes=6)]
    assert InDepthResult.objects.get().state == InDepthState.FAILED


def test_a_computation_that_failed_for_good_has_three_further_attempts_once_a_researcher_asks_for_them(
    monkeypatch: pytest.MonkeyPatch, as_rosa: Client, wanted: list[int]
) -> None:
    field, result = closed(H1)
    with monkeypatch.context() as patch:
        patch.setattr(in_depth_runs, "compute", lambda *_, **__: 1 / 0)
        attempt_each_hour(result)
    wanted.clear()
    path = f"/api/research/studies/{field.study.sha256}/results/in-depth"
    assert as_rosa.post(path).status_code == 204
    row = InDepthResult.objects.get()
    assert (row.state, row.error, row.attempts) == (InDepthState.QUEUED, "", 0)
    assert wanted == [result.pk]
    assert run_if_due(result.pk, Clock())
    assert ask_api(as_rosa, field)["status"] == "done"
    # those that have not failed stay as they are
    assert as_rosa.post(path).status_code == 204
    assert (InDepthResult.objects.get().state, wanted) == (InDepthState.DONE, [result.pk])


def test_those_of_a_study_that_was_opened_again_are_not_started_again(
    monkeypatch: pytest.MonkeyPatch, as_rosa: Client, wanted: list[int]
) -> None:
    field, result = closed(H1)
    monkeypatch.setattr(in_depth_runs, "compute", lambda *_, **__: 1 / 0)
    attempt_each_hour(result)
    Fielding.objects.create(study=field.study, quota_sessions=2)
    wanted.clear()
    assert as_rosa.post(f"/api/research/studies/{field.study.sha256}/results/in-depth").status_code == 204
    assert (InDepthResult.objects.get().state, wanted) == (InDepthState.FAILED, [])


def test_the_second_attempt_may_succeed(monkeypatch: pytest.MonkeyPatch) -> None:
    _, result = closed(H1)
    with monkeypatch.context() as patch:
        patch.setattr(in_depth_runs, "compute", lambda *_, **__: 1 / 0)
        assert not run_if_due(result.pk, lambda: NOW)
    assert not run_if_due(result.pk, lambda: NOW + timedelta(seconds=59))
    assert run_if_due(result.pk, lambda: NOW + timedelta(minutes=1))
    row = InDepthResult.objects.get()
    assert (row.state, row.error, row.attempts) == (InDepthState.DONE, "", 2)


KILLED = """
import sys, time
from datetime import timedelta
import django
django.setup()
from django.conf import settings
from django.utils import timezone
settings.STORE = sys.argv[2]
from analysis.computing import in_depth_attempts, in_depth_runs
from lib import leases, queued_jobs
leases.LEASE = timedelta(seconds=1)
def stuck(*_, advance, **__):
    advance("distributions", 0, 9)
    time.sleep(1)
    print("in the middle", flush=True)
    time.sleep(60)
in_depth_runs.compute = stuck
in_depth_attempts.run_if_due(int(sys.argv[1]), timezone.now)
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_is_replaced_without_anybody_opening_the_page(
    settings: Any, wanted: list[int]
) -> None:
    _, result = closed(H1)
    wanted.clear()
    with start(KILLED, str(result.pk), settings.STORE) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "in the middle\n"
        finally:
            worker.send_signal(signal.SIGKILL)
    row = InDepthResult.objects.get()
    assert (row.state, row.part, row.attempts) == (InDepthState.RUNNING, "distributions", 1)
    assert row.started_at is not None
    lapsed = row.lease_until
    assert lapsed is not None
    # its heartbeat had renewed the lease of one second
    assert lapsed - row.started_at >= timedelta(seconds=1.5)
    in_depth.resume(lapsed - timedelta(seconds=0.1))
    assert wanted == []
    in_depth.resume(lapsed)
    assert wanted == [result.pk]
    assert run_if_due(result.pk, lambda: lapsed)
    assert InDepthResult.objects.get().state == InDepthState.DONE
    in_depth.resume(lapsed + timedelta(days=1))
    assert wanted == [result.pk]


def test_a_result_at_which_three_workers_died_is_given_to_no_fourth(wanted: list[int]) -> None:
    _, result = closed(H1)
    moment = NOW
    for _ in range(3):
        assert in_depth.claim(result.pk, moment) is not None
        moment += leases.LEASE
    assert in_depth.claim(result.pk, moment) is None
    wanted.clear()
    in_depth.resume(moment)
    row = InDepthResult.objects.get()
    assert (row.state, row.error) == (InDepthState.FAILED, in_depth.KILLED)
    assert wanted == []
