"""A backup is restored whole and proved; each thing that can differ is found, and then nothing changes."""

import io
import json
import shutil
import tarfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import global_settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.models import Role, User
from analysis.computing import turns
from analysis.computing.runs import run_if_due
from analysis.models import AnalysisState, Part, Result, Snapshot
from analysis.snapshots import files
from backups import header, making, postgres, proof, restoring
from backups.archive import END, HEADER, Reader, Writer
from backups.drill import drill
from backups.errors import BackupError, ProofError
from backups.models import Kind
from backups.runs import last
from eyelevel_core.contracts import sha256_of_bytes
from lib import stores
from lib.data_version import DATA_VERSION
from privacy import erasure_ledger
from privacy.erasure import erase
from privacy.models import By, Erasure
from privacy.study_deletion import delete_study
from ratings.models import Participant, Vote
from stimuli import blobs
from stimuli.models import Batch, BatchFile, Blob
from stimuli.tasks import drop_stale_batches
from studies.archive import archive
from studies.models import Study
from testing import studies
from testing.store import folder_of, ledger_folder, part_files, snapshot_folder
from testing.votes import Field

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

VIDEO = b"a video" * 1000
VIDEO_SHA256 = sha256_of_bytes(VIDEO)


def quiet(_: str) -> None:
    pass


@pytest.fixture
def field(settings: Any) -> Field:
    """A study with two votes, their results, a file of its batch and an account."""
    call_command("prepare", stdout=io.StringIO())
    # the proof runs in a process with the product's settings
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    studies.user("rosa", Role.RESEARCHER)
    field = Field()
    field.rate("QUIC", 6)
    field.rate("TCP+", 4)
    Batch.objects.update(state="visible")
    BatchFile.objects.create(batch=field.study.batch, path="clips/a.mp4", sha256=VIDEO_SHA256, bytes=len(VIDEO))
    stores.blobs().put(blobs.name_of(VIDEO_SHA256), VIDEO)
    turns.ask(field.study.pk)
    run_if_due(field.study.pk, timezone.now)
    return field


@pytest.fixture
def backup(field: Field) -> bytes:
    out = io.BytesIO()
    making.make_backup(out, tell=quiet)
    return out.getvalue()


def restored(data: bytes, *, dry: bool = False, replace: bool = True) -> restoring.Report:
    return restoring.restore(io.BytesIO(data), drill=dry, replace=replace, tell=quiet)


def changed(data: bytes, change: Callable[[str, bytes], tuple[str, bytes] | None]) -> bytes:
    """The same backup with each entry as `change` returns it; what it returns None for is left out."""
    out = io.BytesIO()
    writer = Writer(out)
    with tarfile.open(fileobj=io.BytesIO(data)) as old:
        for entry in old:
            file = old.extractfile(entry)
            assert file is not None
            new = None if entry.name == END else change(entry.name, file.read())
            if new is not None:
                writer.add_bytes(*new)
    writer.close()
    return out.getvalue()


def with_header(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    def edited(name: str, content: bytes) -> tuple[str, bytes]:
        if name != HEADER:
            return name, content
        header = json.loads(content)
        change(header)
        return name, json.dumps(header).encode()

    return changed(data, edited)


def read_all(data: bytes) -> None:
    for entry in Reader(io.BytesIO(data)).entries():
        entry.drain()


def scratch_left() -> bool:
    return postgres.live_database() + postgres.SCRATCH in postgres.databases()


def test_a_restore_brings_back_the_moment_and_keeps_what_came_later(field: Field, backup: bytes) -> None:
    field.rate("QUIC", 7)
    later = {str(vote.pk) for vote in Vote.objects.all()}
    said: list[str] = []
    report = restoring.restore(io.BytesIO(backup), drill=False, replace=True, tell=said.append)
    assert [finding.text for finding in report.findings if not finding.holds] == []
    # in the order of the guide
    assert said[said.index("Comparing the restored data with the backup") :] == [
        "Comparing the restored data with the backup",
        *(f"✓ {finding.text}" for finding in report.findings),
        "Putting the restored data in place",
    ]
    facts = [finding.text for finding in report.findings]
    assert [facts[0], *facts[2:5], facts[-1]] == [
        "1 file of batches matches its digest.",
        "0 erased participants are absent.",
        "0 deleted studies are absent.",
        "1 snapshot is complete.",
        "1 account can log in.",
    ]
    source = last(Kind.BACKUP)
    assert source is not None
    assert (source.ok, source.begun_at, source.votes) == (True, report.header.moment, 2)
    assert "demo: the results of people's votes equal those of the backup byte for byte." in [
        finding.text for finding in report.findings
    ]
    assert (Vote.objects.count(), report.header.votes) == (2, 2)
    assert Result.objects.exists()
    assert folder_of(Snapshot.objects.get()).is_dir()
    restoring.undo(said.append)
    assert said[-1] == "Restored: 1 study with 3 votes."
    assert {str(vote.pk) for vote in Vote.objects.all()} == later
    leaver = Participant.objects.order_by("created_at").first()
    assert leaver is not None
    erase(leaver, by=By.PARTICIPANT)
    restoring.undo(quiet)
    assert Vote.objects.count() == 1, "an undo must not bring erased participants back"


def test_files_that_the_store_lacks_come_back(backup: bytes) -> None:
    blobs.drop(VIDEO_SHA256)
    shutil.rmtree(snapshot_folder())
    restored(backup)
    assert blobs.read(VIDEO_SHA256) == VIDEO
    snapshot = Snapshot.objects.get()
    assert [path.is_file() for path in part_files(snapshot, "votes")] == [True]
    assert (folder_of(snapshot) / "sessions.parquet").is_file()


def test_data_are_replaced_only_where_somebody_says_so(backup: bytes) -> None:
    with pytest.raises(BackupError, match=r"^This platform already has 1 study with 2 votes"):
        restored(backup, replace=False)


def test_a_drill_changes_nothing(field: Field, backup: bytes) -> None:
    field.rate("QUIC", 7)
    assert all(finding.holds for finding in restored(backup, dry=True).findings)
    assert all(finding.holds for finding in drill(quiet).findings)
    assert Vote.objects.count() == 3
    assert not scratch_left()


def test_a_person_who_was_erased_after_the_backup_stays_erased(field: Field, backup: bytes) -> None:
    leaver = Participant.objects.order_by("pk").first()
    assert leaver is not None
    erase(leaver, by=By.PARTICIPANT)
    report = restored(backup)
    assert Erasure.objects.get().participant == leaver.pk
    assert not Participant.objects.filter(pk=leaver.pk).exists()
    assert Vote.objects.count() == 1
    texts = [finding.text for finding in report.findings]
    assert "1 erased participant is absent, 1 of them erased after the backup was made." in texts
    assert "demo: the results will be computed again, without participants erased since." in texts


def test_a_study_that_was_deleted_after_the_backup_stays_deleted(field: Field, backup: bytes) -> None:
    rosa = User.objects.get()
    archive(field.study, by=rosa)
    delete_study(field.study, by=rosa, with_batch=False)
    report = restored(backup)
    assert not Study.objects.exists()
    assert not Vote.with_tombstones.exists()
    texts = [finding.text for finding in report.findings]
    assert "1 deleted study is absent, 1 of them deleted after the backup was made." in texts
    assert "demo: the study was deleted after the backup was made." in texts
    making.make_backup(io.BytesIO(), tell=quiet)


def test_a_deleted_study_that_is_back_is_found(field: Field) -> None:
    entry = erasure_ledger.Entry(id=uuid4(), erased_at=timezone.now(), study=field.study.pk, deleted=True)
    (finding,) = proof._deleted([entry], 0)
    assert (finding.holds, finding.text) == (False, "The deleted study demo is in the restored data.")


def test_a_batch_that_is_deleted_meanwhile_is_in_the_backup_and_its_files_go_later(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    Blob.objects.create(sha256=VIDEO_SHA256, bytes=len(VIDEO))
    rosa = User.objects.get()
    User.objects.update(role=Role.ADMIN)
    archive(field.study, by=rosa)
    add = making._add_blob

    def deleting(*given: Any) -> None:
        # another process: locks of the same one do not wait for each other
        with ThreadPoolExecutor(1) as pool:
            pool.submit(delete_all).result()
        add(*given)

    def delete_all() -> None:
        try:
            delete_study(field.study, by=User.objects.get(), with_batch=True)
        finally:
            connection.close()

    monkeypatch.setattr(making, "_add_blob", deleting)
    out = io.BytesIO()
    header = making.make_backup(out, tell=quiet)
    assert (len(header.blobs), Batch.objects.count()) == (1, 0)
    read_all(out.getvalue())
    assert blobs.is_stored(VIDEO_SHA256)
    drop_stale_batches()
    assert not blobs.is_stored(VIDEO_SHA256)


def test_erasures_of_the_backup_are_added_to_the_ledger(field: Field) -> None:
    leaver = Participant.objects.order_by("pk").first()
    assert leaver is not None
    erase(leaver, by=By.PARTICIPANT)
    out = io.BytesIO()
    making.make_backup(out, tell=quiet)
    before = erasure_ledger.read()
    shutil.rmtree(ledger_folder())
    restored(out.getvalue())
    assert erasure_ledger.read() == before


# what is done to the scratch database after it was loaded -> what the proof says
PLANTED = {
    "a changed vote": (
        "UPDATE ratings_vote SET replays = 3 WHERE id = (SELECT min(id::text)::uuid FROM ratings_vote)",
        "The table ratings_vote has 2 rows as in the backup, but other contents.",
    ),
    "a lost vote": (
        "DELETE FROM ratings_vote WHERE id = (SELECT min(id::text)::uuid FROM ratings_vote)",
        "The table ratings_vote has 1 row, but 2 in the backup.",
    ),
    "a changed result": (
        "UPDATE analysis_result SET tables = jsonb_set(tables, '{mos,0,mos}', '1.25')",
        "demo: the results of people's votes differ from those of the backup.",
    ),
    "a lost table": ("DROP TABLE privacy_failedcode", "The table privacy_failedcode is only in the backup."),
    "an account that cannot log in": (
        "UPDATE accounts_user SET password = 'torn'",
        "The password hashes of these accounts cannot be read: rosa.",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_differs_is_found_and_changes_nothing(
    name: str, field: Field, backup: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement, sentence = PLANTED[name]
    load = postgres.load

    def spoilt(source: Path, database: str) -> None:
        load(source, database)
        parameters = connection.get_connection_params()
        with psycopg.connect(user=parameters["user"], host=parameters["host"], dbname=database) as scratch:
            scratch.execute("SET session_replication_role = replica")
            scratch.execute(statement)

    monkeypatch.setattr(postgres, "load", spoilt)
    field.rate("QUIC", 7)
    blobs.drop(VIDEO_SHA256)
    with pytest.raises(ProofError) as caught:
        restored(backup)
    assert sentence in [finding.text for finding in caught.value.findings if not finding.holds]
    assert sentence in str(caught.value)
    assert Vote.objects.count() == 3
    assert not scratch_left()
    assert not blobs.is_stored(VIDEO_SHA256), "files that were added are gone again"


def test_a_participant_who_is_back_is_found(field: Field) -> None:
    back = Participant.objects.order_by("pk").first()
    assert back is not None
    entry = erasure_ledger.Entry(id=uuid4(), erased_at=timezone.now(), participant=back.pk, by="admin")
    findings = list(proof._erased([entry], 0))
    assert [finding.holds for finding in findings] == [False] * len(findings)
    assert "1 row of erased participants is in ratings_vote." in [finding.text for finding in findings]


def test_a_damaged_snapshot_is_found(backup: bytes) -> None:
    def spoil(name: str, content: bytes) -> tuple[str, bytes]:
        return name, content[:-1] + b"?" if name.endswith("sessions.parquet") else content

    with pytest.raises(ProofError, match=r"The file sessions.parquet of the snapshot \w+ is missing or damaged"):
        restored(changed(backup, spoil))


def test_an_erasure_while_a_backup_reads_files_takes_no_other_file_from_it(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One part goes between its listing and its reading; the facts of the others stay."""
    field.play(Vote.objects.latest("received_at").trial)
    turns.ask(field.study.pk)
    AnalysisState.objects.update(not_before=None)
    assert run_if_due(field.study.pk, timezone.now) is not None
    (folder,) = {part.study_id for part in Part.objects.all()}
    listed = {stored.key.rpartition("/")[2] for stored in files.of(folder)}
    original = files.sha256_of
    dropped: list[str] = []

    def late(folder: str, name: str) -> str:
        if name in listed and not dropped:
            dropped.append(name)
            files.drop_file(folder, name)
        return original(folder, name)

    monkeypatch.setattr(files, "sha256_of", late)
    assert set(header.snapshot_facts()[folder]) == listed - set(dropped)
    assert len(listed) > len(dropped) == 1


def test_a_damaged_part_of_snapshots_is_found(backup: bytes) -> None:
    part = Part.objects.get(kind="votes")

    def spoil(name: str, content: bytes) -> tuple[str, bytes]:
        return name, content[:-1] + b"?" if name.endswith(f"{part.sha256}.parquet") else content

    with pytest.raises(ProofError, match=rf"The part {part.sha256} of snapshots, votes .* is missing or damaged"):
        restored(changed(backup, spoil))


@pytest.mark.parametrize("lost", [True, False])
def test_a_file_that_is_missing_or_damaged_in_the_backup_is_found(backup: bytes, lost: bool) -> None:
    def spoil(name: str, content: bytes) -> tuple[str, bytes] | None:
        if not name.startswith("blobs/"):
            return name, content
        return None if lost else (name, b"?" + content[1:])

    with pytest.raises(BackupError, match=f"The file {VIDEO_SHA256} of a batch is missing or damaged in the backup"):
        restored(changed(backup, spoil), dry=True)
    blobs.drop(VIDEO_SHA256)
    with pytest.raises(BackupError, match=f"file {VIDEO_SHA256}"):
        restored(changed(backup, spoil))


def test_a_damaged_file_in_the_store_stops_backup_and_restore(backup: bytes) -> None:
    blobs.drop(VIDEO_SHA256)
    stores.blobs().put(blobs.name_of(VIDEO_SHA256), b"?" + VIDEO[1:])
    with pytest.raises(BackupError, match=r"in this platform's store is damaged"):
        restored(backup)
    with pytest.raises(BackupError, match=r"is damaged in the store: its digest is"):
        making.make_backup(io.BytesIO(), tell=quiet)
    blobs.drop(VIDEO_SHA256)
    with pytest.raises(BackupError, match=r"is missing in the store"):
        making.make_backup(io.BytesIO(), tell=quiet)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.9, None])
def test_a_backup_that_was_cut_off_is_refused(backup: bytes, share: float | None) -> None:
    end = backup.rindex(b'"entries"') if share is None else int(len(backup) * share)
    with pytest.raises(BackupError, match=r"is truncated|not a backup"):
        restored(backup[:end])
    assert Vote.objects.count() == 2


def test_every_changed_byte_is_found(backup: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(backup)) as entries:
        places = [entry.offset_data + part * entry.size // 5 for entry in entries if entry.size for part in range(5)]
    assert len(places) > 40
    for place in places:
        spoilt = bytearray(backup)
        spoilt[place] ^= 0x55
        with pytest.raises(BackupError):
            read_all(bytes(spoilt))


def test_a_backup_of_a_newer_version_is_refused(backup: bytes) -> None:
    newer = with_header(backup, lambda header: header.update(data_version=DATA_VERSION + 1))
    versions = rf"\(data version {DATA_VERSION + 1}, but this one has {DATA_VERSION}\)"
    with pytest.raises(BackupError, match=rf"made by a newer Eyelevel {versions}; upgrade first"):
        restored(newer)


def test_a_backup_with_another_contract_is_refused(backup: bytes) -> None:
    other = with_header(backup, lambda header: header.update(contract="eyelevel/backup/9"))
    with pytest.raises(BackupError, match="has the contract eyelevel/backup/9, but this version reads"):
        restored(other)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 a zip file", b"x" * 5000])
def test_what_is_no_backup_is_refused(field: Field, data: bytes) -> None:
    with pytest.raises(BackupError, match="This is not a backup of Eyelevel"):
        restored(data)


def test_results_of_another_version_are_taken_as_stored(backup: bytes) -> None:
    other = with_header(backup, lambda header: header.update(program_sha256="0" * 64))
    texts = [finding.text for finding in restored(other, dry=True).findings]
    assert "demo: the stored results were restored; this version of Eyelevel may compute others." in texts


def test_too_little_room_is_said_first(backup: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 10**6))
    with pytest.raises(BackupError, match=r"has 1 MB free, but the restore may need"):
        restored(backup)
    with pytest.raises(BackupError, match=r"has 1 MB free, but a dump of the database may need"):
        making.make_backup(io.BytesIO(), tell=quiet)
