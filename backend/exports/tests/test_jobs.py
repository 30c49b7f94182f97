"""Exports that workers make: killed, withdrawn, without room or store, one at a time; and how long they take."""

import errno
import io
import logging
import os
import signal
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import IO, Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Role
from analysis.models import Result, Snapshot
from exports import attempts, jobs, making, strays, tasks
from exports.archive import Packed, write_archive
from exports.models import Export, ExportJob, ExportState, Step
from eyelevel_store import StoreError
from eyelevel_store.folder import FolderStore
from lib import leases, stores
from privacy.erasure import erase
from privacy.models import By, Erasure
from privacy.study_deletion import delete_study
from ratings.models import Participant, Play, Session, Vote
from studies.archive import archive
from studies.models import Study
from testing import studies, workers
from testing.exports import ask, download, jobs_path, make
from testing.store import part_files
from testing.votes import Field
from testing.web import error_code

from .exported import analysed

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The exports that a worker was called for, in the broker's place."""
    exports: list[str] = []
    monkeypatch.setattr(tasks.make_export, "delay", exports.append)
    return exports


@pytest.fixture
def asked(rosa: Client, called: list[str]) -> ExportJob:
    """Rosa's export of a study with a vote each of two people, which nobody has begun."""
    field = Field()
    field.rate("QUIC", 6)
    field.rate("TCP+", 3)
    analysed(field)
    assert ask(rosa, field.study.sha256).status_code == 202
    job = ExportJob.objects.get()
    assert called == [str(job.pk)]
    return job


def now_of(job: ExportJob) -> ExportJob:
    return ExportJob.objects.select_related("study").get(pk=job.pk)


def identity(moment: datetime) -> datetime:
    return moment


def stored() -> list[str]:
    return [entry.key for entry in stores.exports().list()]


def scratch_left(settings: Any) -> list[Path]:
    folder = Path(settings.SCRATCH_DIR)
    return list(folder.iterdir()) if folder.is_dir() else []


def test_only_the_first_of_two_messages_makes_it(asked: ExportJob) -> None:
    assert make(str(asked.pk))
    first = now_of(asked)
    assert not make(str(asked.pk))
    assert now_of(asked).finished_at == first.finished_at
    assert Export.objects.count() == 1


def test_a_lost_message_is_sent_again_and_a_message_for_nothing_does_nothing(
    asked: ExportJob, called: list[str]
) -> None:
    jobs.resume(asked.asked_at + timedelta(seconds=59))
    assert len(called) == 1
    jobs.resume(asked.asked_at + timedelta(seconds=60))
    assert called == [str(asked.pk)] * 2
    assert not make("6f1c2a34-0000-4000-8000-000000000000")


def test_a_dead_queue_costs_nobody_their_export(asked: ExportJob, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise OperationalError("no queue")

    monkeypatch.setattr(tasks.make_export, "delay", refuse)
    jobs.resume(asked.asked_at + timedelta(seconds=60))
    assert now_of(asked).state == ExportState.QUEUED


def test_the_page_gets_what_is_packed_and_the_time_left(rosa: Client, asked: ExportJob) -> None:
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    lease = jobs.claim(asked.pk, begun)
    assert lease is not None
    jobs.begin(lease, Step.TABLES, begun)
    assert jobs.seconds_left(now_of(asked), begun + timedelta(seconds=5)) is None
    jobs.begin(lease, Step.PACKING, begun + timedelta(seconds=10))
    assert jobs.seconds_left(now_of(asked), begun + timedelta(seconds=11)) is None
    jobs.progress(lease, done=25, of=100, now=begun + timedelta(seconds=14))
    assert jobs.seconds_left(now_of(asked), begun + timedelta(seconds=14)) == 12.0
    body = rosa.get(f"{jobs_path(asked.study_id)}/{asked.pk}").json()
    assert (body["state"], body["step"], body["done"], body["of"]) == ("running", "packing", 25, 100)


@pytest.mark.parametrize(("votes", "left"), [(2, 20.0), (4, 20.0), (1, 20.0), (5, None), (None, None)])
def test_tables_take_about_as_long_as_those_of_the_last_export_with_as_many_votes(
    asked: ExportJob, votes: int | None, left: float | None
) -> None:
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    if votes is not None:
        times = {
            "asked_at": begun,
            "moved_at": begun,
            "started_at": begun,
            "finished_at": begun + timedelta(seconds=30),
        }
        same = {"study": asked.study, "origin": "person", "snapshot_sha256": "1" * 64, "file_sha256": "2" * 64}
        ExportJob.objects.create(**same, **times, votes=votes, state=ExportState.EXPIRED)
    lease = jobs.claim(asked.pk, begun)
    assert lease is not None
    jobs.begin(lease, Step.TABLES, begun)
    assert jobs.seconds_left(now_of(asked), begun + timedelta(seconds=10)) == left
    # it takes longer than that one did
    assert jobs.seconds_left(now_of(asked), begun + timedelta(seconds=31)) is None


def test_progress_of_a_real_archive_counts_rows_of_votes_and_plays(
    asked: ExportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, int, int | None]] = []
    monkeypatch.setattr(making, "STEP_S", 0.0)
    begin, progress = jobs.begin, jobs.progress

    def begun(lease: leases.Lease, step: Step, now: datetime) -> None:
        calls.append((step, 0, None))
        begin(lease, step, now)

    def moved(lease: leases.Lease, *, done: int, of: int | None, now: datetime) -> None:
        calls.append(("", done, of))
        progress(lease, done=done, of=of, now=now)

    monkeypatch.setattr(jobs, "begin", begun)
    monkeypatch.setattr(jobs, "progress", moved)
    assert make(str(asked.pk))
    assert calls[:2] == [("tables", 0, None), ("packing", 0, None)]
    rows = [(done, of) for _, done, of in calls[2:]]
    assert [done for done, _ in rows] == sorted(done for done, _ in rows)
    of = Vote.objects.count() + Play.objects.count()
    assert {of for _, of in rows} == {of}
    assert rows[-1] == (of, of)


def test_progress_reaches_its_end_although_excluded_sessions_are_not_written() -> None:
    reported: list[tuple[int, int]] = []
    rows = {"votes.csv": 5, "plays.csv": 3}
    with zipfile.ZipFile(io.BytesIO(), "w") as archive:
        packed = Packed(archive, rows, lambda *now: reported.append(now))
        packed.add_table("votes.csv", [("n\r\n", 0), ("1\r\n", 2)])
        packed.add_table("plays.csv", [("n\r\n", 0)])
    assert reported == [(0, 8), (2, 8), (5, 8), (5, 8), (8, 8)]


KILLED = """
import sys, time
from datetime import timedelta
import django
django.setup()
from django.conf import settings
settings.STORE, settings.SCRATCH_DIR = sys.argv[2], sys.argv[3]
from uuid import UUID
from django.utils import timezone
from kombu.exceptions import OperationalError
from exports import archive, attempts, files, jobs
from lib import leases
leases.LEASE = timedelta(seconds=1)
def stuck(*_, **__):
    print("in the middle", flush=True)
    time.sleep(60)
if sys.argv[4] == "packing":
    archive._entry = stuck
else:
    jobs.finish = stuck
attempts.run_if_due(UUID(sys.argv[1]), timezone.now)
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("where", ["packing", "stored"])
def test_a_worker_killed_in_the_middle_is_replaced_and_nothing_looks_whole(
    where: str, rosa: Client, asked: ExportJob, called: list[str], settings: Any
) -> None:
    """Killed while it packs, and after the file lies in the store but before a job names it."""
    with workers.start(KILLED, str(asked.pk), settings.STORE, str(settings.SCRATCH_DIR), where) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "in the middle\n"
        finally:
            worker.send_signal(signal.SIGKILL)
    row = now_of(asked)
    assert (row.state, row.attempts, row.file_sha256, Export.objects.count()) == (ExportState.RUNNING, 1, "", 0)
    assert error_code(rosa.get(f"{jobs_path(row.study_id)}/{row.pk}/file")) == (503, "not_ready")
    assert len(stored()) == (where == "stored")
    lapsed = row.lease_until
    assert lapsed is not None
    called.clear()
    jobs.resume(lapsed - timedelta(seconds=0.1))
    assert called == []
    jobs.resume(lapsed)
    assert called == [str(row.pk)]
    assert attempts.run_if_due(row.pk, lambda: lapsed)
    row = now_of(asked)
    assert (row.state, stored()) == (ExportState.DONE, [f"{row.file_sha256}.zip"])
    assert Export.objects.count() == 1


def test_an_export_at_which_three_workers_died_is_given_to_no_fourth(asked: ExportJob, called: list[str]) -> None:
    moment = timezone.now()
    for _ in range(3):
        assert jobs.claim(asked.pk, moment) is not None
        moment += leases.LEASE
    assert jobs.claim(asked.pk, moment) is None
    called.clear()
    jobs.resume(moment)
    row = now_of(asked)
    assert (row.state, row.reason, row.message) == (ExportState.FAILED, "killed", jobs.KILLED)
    assert called == []


class Away:
    """Errors of the store and of the disk, in the place of its work."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def store(self) -> None:
        def refuse(store: FolderStore, key: str, _: Path) -> None:
            raise StoreError(f"The store {store.address} does not answer ({key}); try again later.", away=True)

        self._patch.setattr(FolderStore, "take_in", refuse)

    def disk(self) -> None:
        def full(_result: Result, out: IO[bytes], **_: Any) -> None:
            out.write(b"PK")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        self._patch.setattr(making, "write_archive", full)

    def reserve(self) -> None:
        self._patch.setattr(making, "has_reserve", lambda: False)

    def reserve_used_by_the_file(self) -> None:
        enough = cycle((True, False))
        self._patch.setattr(making, "has_reserve", lambda: next(enough))


@pytest.fixture
def surroundings(
    monkeypatch: pytest.MonkeyPatch, called: list[str], settings: Any
) -> Iterator[tuple[Away, list[str], Any]]:
    with monkeypatch.context() as patched:
        yield Away(patched), called, settings


@pytest.mark.parametrize(
    ("what", "reason"),
    [("store", "store"), ("disk", "full"), ("reserve", "full"), ("reserve_used_by_the_file", "full")],
)
def test_without_store_or_room_it_is_tried_again_and_then_failed_with_a_sentence(
    what: str, reason: str, rosa: Client, asked: ExportJob, surroundings: tuple[Away, list[str], Any]
) -> None:
    away, called, settings = surroundings
    getattr(away, what)()
    moment = timezone.now()
    for attempt, pause in enumerate((timedelta(minutes=1), timedelta(minutes=5), None), 1):
        called.clear()
        assert not attempts.run_if_due(asked.pk, partial(identity, moment))
        row = now_of(asked)
        body = rosa.get(f"{jobs_path(row.study_id)}/{row.pk}").json()
        assert (row.attempts, body["reason"], body["file"], stored()) == (attempt, reason, None, [])
        assert scratch_left(settings) == []
        if pause is None:
            break
        assert (row.state, row.not_before) == (ExportState.QUEUED, moment + pause)
        jobs.resume(moment + pause - timedelta(seconds=1))
        assert called == []
        moment += pause
        jobs.resume(moment)
        assert called == [str(row.pk)]
    assert (body["state"], body["message"]) == ("failed", attempts.AWAY if reason == "store" else attempts.FULL)
    refused = rosa.get(f"{jobs_path(row.study_id)}/{row.pk}/file")
    assert (error_code(refused), refused.json()["error"]["message"]) == ((409, "export_failed"), body["message"])
    assert not Export.objects.exists()


def test_after_a_failure_the_next_attempt_succeeds(asked: ExportJob, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        Away(patched).store()
        assert not make(str(asked.pk))
    assert attempts.run_if_due(asked.pk, lambda: timezone.now() + timedelta(minutes=1))
    row = now_of(asked)
    assert (row.state, row.attempts, row.reason, row.message) == (ExportState.DONE, 2, "", "")


def test_a_damaged_snapshot_and_a_stop_for_time_are_failures_for_good(
    asked: ExportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:

        def stopped(*_: Any, **__: Any) -> None:
            raise SoftTimeLimitExceeded

        patched.setattr(making, "write_archive", stopped)
        assert not make(str(asked.pk))
    row = now_of(asked)
    assert (row.state, row.reason, row.message) == (ExportState.FAILED, "too_long", attempts.TOO_LONG)
    (part,) = part_files(Snapshot.objects.get(), "votes")
    part.unlink()
    ExportJob.objects.update(state=ExportState.QUEUED)
    assert not make(str(asked.pk))
    row = now_of(asked)
    assert (row.state, row.reason) == (ExportState.FAILED, "damaged")
    assert f"{part.name} is missing or damaged" in row.message


def test_results_of_another_version_are_not_exported(asked: ExportJob) -> None:
    Result.objects.update(method_version=0)
    assert not make(str(asked.pk))
    row = now_of(asked)
    assert (row.state, row.reason, row.message) == (ExportState.FAILED, "replaced", making.REPLACED)


def test_an_unexpected_error_is_logged_and_its_words_are_not_shown(
    asked: ExportJob, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("secret")

    monkeypatch.setattr(making, "write_archive", broken)
    with caplog.at_level(logging.ERROR):
        assert not make(str(asked.pk))
    assert now_of(asked).message == attempts.FAILED
    assert "ValueError: secret" in caplog.text


def leaver(study: Study | None = None) -> Participant:
    session = Session.objects.filter(fielding__study=study or Study.objects.get()).first()
    assert session is not None
    return session.participant


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("when", ["tables", "packing", "storing"])
def test_an_erasure_while_it_is_made_ends_it_and_leaves_no_file(
    when: str, rosa: Client, asked: ExportJob, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """During the tables, during the packing, and when the file lies in the store already."""
    monkeypatch.setattr(making, "STEP_S", 0.0)
    begin, take_in = jobs.begin, FolderStore.take_in

    def in_step(lease: leases.Lease, step: Step, now: datetime) -> None:
        begin(lease, step, now)
        if step == when:
            erase(leaver(), by=By.PARTICIPANT)

    def storing(store: FolderStore, key: str, file: Path) -> None:
        take_in(store, key, file)
        if store.address.endswith("exports"):
            erase(leaver(), by=By.PARTICIPANT)

    if when == "storing":
        monkeypatch.setattr(FolderStore, "take_in", storing)
    else:
        monkeypatch.setattr(jobs, "begin", in_step)
    assert not make(str(asked.pk))
    row = now_of(asked)
    body = rosa.get(f"{jobs_path(row.study_id)}/{row.pk}").json()
    assert (body["state"], body["reason"]) == ("failed", "erased")
    assert (stored(), scratch_left(settings), Export.objects.count()) == ([], [], 0)
    # nobody could have downloaded it
    assert Erasure.objects.get().exports == []


@pytest.mark.django_db(transaction=True)
def test_an_erasure_deletes_the_files_that_contain_the_person_names_their_exports_and_leaves_others(
    rosa: Client, asked: ExportJob
) -> None:
    make(str(asked.pk))
    other = Field(2)
    other.rate("QUIC", 5)
    analysed(other)
    download(rosa, other.study.sha256)
    other_job = ExportJob.objects.get(study=other.study)
    address = f"{jobs_path(asked.study_id)}/{asked.pk}/file"
    assert len(stored()) == 2
    erased = erase(leaver(asked.study), by=By.PARTICIPANT).erasure
    assert erased.exports == [Export.objects.get(study=asked.study_id).pk]
    assert stored() == [f"{other_job.file_sha256}.zip"]
    refused = rosa.get(address)
    assert error_code(refused) == (410, "export_expired")
    assert refused.json()["error"]["message"].startswith("A participant whose answers it contained was erased;")


@pytest.mark.django_db(transaction=True)
def test_an_erasure_is_done_although_the_store_keeps_the_file_which_the_sweep_removes(
    rosa: Client, asked: ExportJob, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make(str(asked.pk))

    def refuse(store: FolderStore, key: str) -> None:
        raise StoreError(f"{store.address}/{key} cannot be deleted", away=True)

    with monkeypatch.context() as patched:
        patched.setattr(FolderStore, "delete", refuse)
        erase(leaver(), by=By.PARTICIPANT)
    assert "Files of exports could not be deleted after an erasure" in caplog.text
    assert error_code(rosa.get(f"{jobs_path(asked.study_id)}/{asked.pk}/file")) == (410, "export_expired")
    (left,) = stored()
    assert strays.drop_strays(timezone.now()) == 0
    (place,) = (Path(stores.exports().address) / left,)
    os.utime(place, (time.time() - 7200,) * 2)
    assert (strays.drop_strays(timezone.now()), stored()) == (1, [])


def test_a_file_that_a_job_names_is_no_stray(asked: ExportJob) -> None:
    make(str(asked.pk))
    (name,) = stored()
    os.utime(Path(stores.exports().address) / name, (time.time() - 7200,) * 2)
    assert (strays.drop_strays(timezone.now()), stored()) == (0, [name])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("when", ["running", "done"])
def test_a_deleted_study_leaves_neither_job_nor_file(
    when: str, asked: ExportJob, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    owner = studies.user("olga", Role.RESEARCHER)
    study = Study.objects.get()

    def delete() -> None:
        archive(study, by=owner)
        delete_study(study, by=owner, with_batch=False)

    def late(result: Result, out: IO[bytes], **given: Any) -> None:
        write_archive(result, out, **given)
        delete()

    if when == "running":
        monkeypatch.setattr(making, "write_archive", late)
        assert not make(str(asked.pk))
    else:
        assert make(str(asked.pk))
        delete()
    assert not ExportJob.objects.exists()
    assert not Export.objects.exists()
    assert (stored(), scratch_left(settings)) == ([], [])


def test_a_task_says_which_export(asked: ExportJob) -> None:
    tasks.make_export(str(asked.pk))
    assert now_of(asked).state == ExportState.DONE
    tasks.resume_exports()
    tasks.drop_old_exports()
    assert len(stored()) == 1
