"""Votes lead to results by themselves: few runs, none forgotten, also when a worker is killed in the middle."""

import signal
import time
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from analysis import receivers, tasks
from analysis.computing import runs, staleness, turns
from analysis.computing.results import compute
from analysis.computing.runs import run_if_due
from analysis.computing.staleness import freshness, studies_behind
from analysis.models import AnalysisState, Result, Snapshot
from analysis.snapshots.store import take_snapshot
from conformance.models import Verdict
from lib import leases
from lib.leases import LostLeaseError
from ratings.models import Session
from ratings.signals import vote_stored
from testing.store import folder_of
from testing.threads import at_once
from testing.votes import KEPT_ALL, Field
from testing.workers import start

pytestmark = [pytest.mark.services, pytest.mark.django_db]

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class Queue:
    """Keeps the messages that tasks leave, in the broker's place."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.arrived: list[str] = []
        self.booked: list[tuple[str, float]] = []
        monkeypatch.setattr(tasks.votes_arrived, "apply_async", lambda args, *, countdown: self.arrived.append(args[0]))
        # what other tests have sent
        monkeypatch.setattr(receivers, "_under_way", {})
        monkeypatch.setattr(tasks.analyse, "delay", lambda study: self.booked.append((study, 0)))
        monkeypatch.setattr(
            tasks.analyse, "apply_async", lambda args, *, countdown: self.booked.append((args[0], countdown))
        )


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Queue:
    return Queue(monkeypatch)


def mos() -> dict[str, float]:
    result = AnalysisState.objects.select_related("result").get().result
    assert result is not None
    return {row["stack"]: row["mos"] for row in result.tables["mos"]}


def test_a_run_publishes_the_tables_of_its_snapshot() -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.rate("QUIC", 5)
    field.rate("TCP+", 3)
    field.compare("right")
    turns.ask(field.study.sha256)
    assert run_if_due(field.study.sha256, Clock())
    result = Result.objects.get()
    assert mos() == {"QUIC": 5.5, "TCP+": 3.0}
    assert [(row["stack_a"], row["stack_b"], row["prefer_a"], row["n"]) for row in result.tables["comparisons"]] == [
        ("QUIC", "TCP+", 1, 1)
    ]
    assert [
        (row["metric"], row["clips"], row["votes"], row["pearson"]) for row in result.tables["correlations"][1:2]
    ] == [("si", 2, 3, None)]
    assert [(row["stack"], row["metrics"]["si_ms"], row["metrics"]["plt_ms"]) for row in result.tables["points"]] == [
        ("QUIC", 800.0, None),
        ("TCP+", 1600.5, None),
    ]
    assert (result.snapshot.votes, result.snapshot.study) == (4, field.study)


def test_the_votes_of_an_excluded_session_do_not_count() -> None:
    field = Field()
    field.rate("QUIC", 6)
    bad = field.rate("QUIC", 1)
    field.exclude(bad.session)
    turns.ask(field.study.sha256)
    run_if_due(field.study.sha256, Clock())
    assert mos() == {"QUIC": 6.0}


def test_the_same_votes_make_no_second_row() -> None:
    field = Field()
    field.rate("QUIC", 6)
    clock = Clock()
    for _ in range(2):
        turns.ask(field.study.sha256)
        assert run_if_due(field.study.sha256, clock)
        clock.now += turns.PAUSE
    assert (Snapshot.objects.count(), Result.objects.count()) == (1, 1)


def test_a_superseded_snapshot_goes_unless_it_was_exported_or_is_anothers() -> None:
    field, other, clock = Field(1), Field(2), Clock()

    def analyse(target: Field) -> Snapshot:
        target.rate("QUIC", 6)
        turns.ask(target.study.sha256)
        assert run_if_due(target.study.sha256, clock)
        clock.now += turns.PAUSE
        return Snapshot.objects.filter(study=target.study).latest("created_at")

    other_snapshot = analyse(other)
    exported = analyse(field)
    Snapshot.objects.filter(pk=exported.pk).update(exported_at=NOW)
    superseded = analyse(field)
    latest = analyse(field)
    assert set(Snapshot.objects.all()) == {other_snapshot, exported, latest}
    assert Result.objects.count() == 3
    assert folder_of(exported).is_dir()
    assert not folder_of(superseded).exists()


def test_analysis_reads_the_snapshot_and_never_live_votes(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    field.rate("QUIC", 6)
    original = take_snapshot

    def then_a_vote(study: str) -> Snapshot:
        snapshot = original(study)
        field.rate("QUIC", 1)
        return snapshot

    monkeypatch.setattr(runs, "take_snapshot", then_a_vote)
    turns.ask(field.study.sha256)
    run_if_due(field.study.sha256, Clock())
    assert mos() == {"QUIC": 6.0}
    assert studies_behind() == [field.study.sha256]


def test_a_stored_vote_calls_for_an_analysis(queue: Queue) -> None:
    vote_stored.send(sender=None, study_sha256="a" * 64)
    assert queue.arrived == ["a" * 64]


def test_a_dead_queue_costs_no_vote(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def dead(_: tuple[str], *, countdown: float) -> None:
        raise OperationalError(f"nobody there in {countdown} s")

    monkeypatch.setattr(receivers, "_under_way", {})
    monkeypatch.setattr(tasks.votes_arrived, "apply_async", dead)
    for _ in range(2):
        vote_stored.send(sender=None, study_sha256="a" * 64)
    # the next vote tries again
    assert caplog.text.count("could not be queued") == 2


def test_a_message_speaks_for_all_votes_until_it_is_taken_up(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    for study in "aab":
        vote_stored.send(sender=None, study_sha256=study)
    now += receivers.PATIENCE_S - 0.01
    vote_stored.send(sender=None, study_sha256="a")
    assert queue.arrived == ["a", "b"]
    # this one is stored when the first message may have been read already
    now += 0.01
    vote_stored.send(sender=None, study_sha256="a")
    assert queue.arrived == ["a", "b", "a"]


def test_the_receiver_is_connected_once() -> None:
    receivers.connect()
    assert sum(receiver[0][0] == "analysis" for receiver in vote_stored.receivers) == 1


def test_many_messages_are_few_runs(queue: Queue) -> None:
    field = Field()
    runs = []
    for score in (1, 2, 3, 4, 5):
        field.rate("QUIC", score)
        tasks.votes_arrived(field.study.sha256)
        runs.append(Snapshot.objects.count())
    assert runs == [1, 1, 1, 1, 1]
    # the first ran at once; for all others one message asks again after the pause
    ((study, wait),) = queue.booked
    assert study == field.study.sha256
    # longer where the run itself took long
    assert wait > 0
    AnalysisState.objects.update(not_before=NOW)
    tasks.analyse(study)
    assert (mos(), Snapshot.objects.get().votes) == ({"QUIC": 3.0}, 5)
    # each run leaves one message, and one that finds nothing to do leaves none
    tasks.analyse(study)
    assert len(queue.booked) == 2


def test_catch_up_finds_votes_whose_message_was_lost(queue: Queue) -> None:
    behind, fresh, empty = Field(1), Field(2), Field(3)
    behind.rate("QUIC", 6)
    fresh.rate("QUIC", 2)
    tasks.votes_arrived(fresh.study.sha256)
    assert empty.study.sha256 not in studies_behind()
    queue.booked.clear()
    tasks.catch_up()
    assert queue.booked == [(behind.study.sha256, 0)]
    tasks.analyse(behind.study.sha256)
    assert studies_behind() == []
    queue.booked.clear()
    tasks.catch_up()
    assert queue.booked == []


def test_catch_up_finds_a_new_exclusion(queue: Queue) -> None:
    field = Field()
    field.rate("QUIC", 6)
    vote = field.rate("QUIC", 2)
    tasks.votes_arrived(field.study.sha256)
    field.exclude(vote.session)
    AnalysisState.objects.update(not_before=NOW)
    queue.booked.clear()
    tasks.catch_up()
    assert queue.booked == [(field.study.sha256, 0)]
    tasks.analyse(field.study.sha256)
    assert mos() == {"QUIC": 6.0}


def test_a_failed_run_frees_the_turn_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    field, clock = Field(), Clock()
    field.rate("QUIC", 6)
    turns.ask(field.study.sha256)
    with monkeypatch.context() as broken:
        broken.setattr(runs, "take_snapshot", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run_if_due(field.study.sha256, clock)
    assert AnalysisState.objects.get().lease_id is None
    clock.now += turns.PAUSE_AFTER_FAILURE
    assert run_if_due(field.study.sha256, clock)
    assert mos() == {"QUIC": 6.0}


def test_a_run_whose_lease_went_to_another_publishes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    field, clock = Field(), Clock()
    field.rate("QUIC", 6)
    turns.ask(field.study.sha256)
    original = take_snapshot

    def slow(study: str) -> Snapshot:
        clock.now += leases.LEASE
        assert turns.claim(study, clock.now) is not None
        return original(study)

    monkeypatch.setattr(runs, "take_snapshot", slow)
    with pytest.raises(LostLeaseError):
        run_if_due(field.study.sha256, clock)
    state = AnalysisState.objects.get()
    assert state.result is None
    assert state.lease_id is not None


def test_the_freshness_follows_the_votes() -> None:
    field, clock = Field(), Clock()

    def status() -> str:
        return freshness(field.study.sha256, clock.now)[0]

    assert status() == "none"
    field.rate("QUIC", 6)
    turns.ask(field.study.sha256)
    assert status() == "none"
    assert turns.claim(field.study.sha256, clock.now) is not None
    assert status() == "running"
    clock.now += leases.LEASE
    assert status() == "none"
    run_if_due(field.study.sha256, clock)
    assert status() == "fresh"
    field.rate("QUIC", 6)
    assert status() == "stale"


def give_verdict(session: Session, **says: bool) -> None:
    Session.objects.filter(pk=session.pk).update(to_judge_since=None)
    Verdict.objects.create(session=session, version=1, findings=KEPT_ALL, **says)


def test_the_freshness_notices_a_verdict_that_changes_no_count() -> None:
    """From under way to left out: one reason goes and another one comes; and who is paid changes nothing else."""
    field, clock = Field(), Clock()

    def analysed() -> list[str]:
        clock.now += leases.LEASE
        turns.ask(field.study.sha256)
        assert run_if_due(field.study.sha256, clock)
        return [freshness(field.study.sha256, clock.now)[0], *studies_behind()]

    session = field.session(judged=False)
    field.rate("QUIC", 6, by=session)
    assert analysed() == ["fresh"]
    Session.objects.filter(pk=session.pk).update(state="completed", completed_at=NOW, to_judge_since=NOW)
    for accepted in (False, True):
        give_verdict(session, accepted=accepted, used=False)
        if not accepted:
            field.exclude(session, "R7")
        assert freshness(field.study.sha256, clock.now)[0] == "stale"
        assert studies_behind() == [field.study.sha256]
        assert analysed() == ["fresh"]
    # another play was looked at, and everything stays as it was
    Verdict.objects.create(session=session, version=1, accepted=True, used=False, findings=KEPT_ALL, plays=2)
    assert studies_behind() == [field.study.sha256]
    assert analysed() == ["fresh"]


@pytest.mark.parametrize("before", ["to_judge", "exclusion_count"])
def test_a_verdict_given_while_the_freshness_is_read_does_not_make_it_fresh(
    monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    """One read may not see it yet, and another one may find that none is due any more."""
    field, clock = Field(), Clock()
    session = field.session(judged=False)
    field.rate("QUIC", 6, by=session)
    turns.ask(field.study.sha256)
    assert run_if_due(field.study.sha256, clock)
    Session.objects.filter(pk=session.pk).update(state="completed", completed_at=NOW, to_judge_since=NOW)
    original = getattr(staleness, before)

    def just_judged(*given: Any) -> Any:
        give_verdict(session, accepted=True, used=True)
        return original(*given)

    with monkeypatch.context() as patch:
        patch.setattr(staleness, before, just_judged)
        assert freshness(field.study.sha256, clock.now)[0] == "stale"
    assert Verdict.objects.filter(session=session).exists()
    assert freshness(field.study.sha256, clock.now)[0] == "stale"


KILLED = """
import os, sys, time
import django
django.setup()
from django.conf import settings
from django.utils import timezone
settings.STORE = sys.argv[2]
from analysis.computing import turns, runs
original = runs.compute
def stuck(snapshot):
    print("in the middle", flush=True)
    time.sleep(60)
runs.compute = stuck
turns.ask(sys.argv[1])
runs.run_if_due(sys.argv[1], timezone.now)
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_is_replaced(settings: Any) -> None:
    field = Field()
    field.rate("QUIC", 6)
    with start(KILLED, field.study.sha256, settings.STORE) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "in the middle\n"
        finally:
            worker.send_signal(signal.SIGKILL)
    lease_until = AnalysisState.objects.get().lease_until
    assert lease_until is not None
    assert studies_behind() == [field.study.sha256]
    assert not run_if_due(field.study.sha256, lambda: lease_until - timedelta(seconds=1))
    assert run_if_due(field.study.sha256, lambda: lease_until)
    assert mos() == {"QUIC": 6.0}
    # what the dead one had written is the very same snapshot
    assert (Snapshot.objects.count(), Result.objects.count()) == (1, 1)
    assert studies_behind() == []


@pytest.mark.django_db(transaction=True)
def test_a_run_of_several_leases_is_not_taken_by_another_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    field.rate("QUIC", 6)
    turns.ask(field.study.sha256)
    monkeypatch.setattr(leases, "LEASE", timedelta(seconds=1))
    begun, go_on = Event(), Event()

    def slow(snapshot: Snapshot) -> Result:
        begun.set()
        assert go_on.wait(timeout=60)
        return compute(snapshot)

    monkeypatch.setattr(runs, "compute", slow)

    def work(number: int) -> list[bool]:
        if number == 0:
            return [run_if_due(field.study.sha256, timezone.now) is not None]
        try:
            assert begun.wait(timeout=60)
            tried = []
            for _ in range(30):
                tried.append(turns.claim(field.study.sha256, timezone.now()) is not None)
                time.sleep(0.1)
            return tried
        finally:
            go_on.set()

    assert at_once(work, threads=2) == [[True], [False] * 30]
    assert mos() == {"QUIC": 6.0}


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_of_a_killed_worker_ends_with_it(settings: Any) -> None:
    field = Field()
    field.rate("QUIC", 6)
    short = "from datetime import timedelta\nfrom lib import leases\nleases.LEASE = timedelta(seconds=1)\n"
    code = KILLED.replace(
        "from analysis.computing import turns, runs\n", f"{short}from analysis.computing import turns, runs\n"
    )
    with start(code, field.study.sha256, settings.STORE) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "in the middle\n"
            first = AnalysisState.objects.get().lease_until
            time.sleep(2)
        finally:
            worker.send_signal(signal.SIGKILL)
    killed_at = timezone.now()
    last = AnalysisState.objects.get().lease_until
    assert first is not None
    assert last is not None
    assert last - first >= timedelta(seconds=1)
    assert last - killed_at <= timedelta(seconds=1)
    assert turns.claim(field.study.sha256, killed_at + timedelta(seconds=1)) is not None
