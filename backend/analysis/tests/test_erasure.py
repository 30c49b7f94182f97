"""After an erasure no snapshot, result or file holds the votes any more, and the analysis is made anew."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from analysis import tasks
from analysis.computing import turns
from analysis.computing.staleness import freshness
from analysis.models import AnalysisState, Result, Snapshot
from analysis.signals import votes_erased
from analysis.snapshots import queries, store
from analysis.snapshots.columns import VOTES
from analysis.snapshots.erasure import drop_strays, forget_sessions
from analysis.snapshots.store import ErasedMeanwhileError, take_snapshot
from exports.models import Export
from eyelevel_store import StoreError
from eyelevel_store.folder import FolderStore
from lib.leases import LostLeaseError
from privacy.erasure import erase
from privacy.models import By, Erasure
from ratings.models import Session
from studies.models import Study
from testing import studies
from testing.exports import download
from testing.store import rows_of, snapshot_folder
from testing.votes import Field

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def published(field: Field) -> Result:
    result = AnalysisState.objects.select_related("result__snapshot").get(study=field.study).result
    assert result is not None
    return result


def folders() -> set[str]:
    root = snapshot_folder()
    return {path.name for path in root.iterdir()} - {*parts()} if root.is_dir() else set()


def parts() -> dict[str, set[str]]:
    """The files of parts by study."""
    known = Study.objects.values_list("pk", flat=True)
    found = {study: {path.name for path in (snapshot_folder() / study).glob("*")} for study in known}
    return {study: files for study, files in found.items() if files}


@pytest.fixture
def pair() -> tuple[Field, Session, Session]:
    """Ann and Ben, whose votes are analysed, exported, and analysed again with a vote more."""
    rosa = Client()
    rosa.force_login(studies.user("rosa", Role.RESEARCHER))
    field = Field()
    ann, ben = field.session(answers={"age": "a"}), field.session()
    field.rate("QUIC", 7, by=ann)
    field.rate("QUIC", 2, by=ben)
    tasks.votes_arrived(field.study.sha256)
    assert download(rosa, field.study.sha256)[:2] == b"PK"
    field.rate("TCP+", 4, by=ben)
    AnalysisState.objects.update(not_before=None)
    tasks.votes_arrived(field.study.sha256)
    return field, ann, ben


def test_every_snapshot_that_held_them_goes_the_exported_one_too(pair: tuple[Field, Session, Session]) -> None:
    _, ann, _ = pair
    before = set(Snapshot.objects.values_list("sha256", flat=True))
    assert (len(before), folders()) == (2, before)
    erasure = erase(ann.participant, by=By.PARTICIPANT).erasure
    assert (Snapshot.objects.count(), Result.objects.count(), folders(), parts()) == (0, 0, set(), {})
    assert set(erasure.snapshots) == before
    assert erasure.exports == list(Export.objects.values_list("pk", flat=True))


def test_an_erasure_is_done_although_the_store_keeps_the_files_for_now(
    pair: tuple[Field, Session, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    field, ann, _ = pair
    before: set[str] = folders()
    heard: list[str] = []

    def hear(*, study_sha256: str, **_: Any) -> None:
        heard.append(study_sha256)

    votes_erased.connect(hear, dispatch_uid="heard", weak=False)

    def refuse(_: FolderStore, key: str) -> None:
        raise StoreError(f"{key} cannot be deleted", away=True)

    try:
        with monkeypatch.context() as patched:
            patched.setattr(FolderStore, "delete", refuse)
            erase(ann.participant, by=By.PARTICIPANT)
    finally:
        votes_erased.disconnect(dispatch_uid="heard")
    assert (Snapshot.objects.count(), folders(), heard) == (0, before, [field.study.sha256])
    files = list(snapshot_folder().glob("*/*"))
    for path in files:
        os.utime(path, (time.time() - 7200,) * 2)
    assert drop_strays() == len(files)
    assert (folders(), parts()) == (set(), {})


def test_the_analysis_is_made_anew_without_them(pair: tuple[Field, Session, Session]) -> None:
    field, ann, ben = pair
    erase(ann.participant, by=By.PARTICIPANT)
    assert freshness(field.study.sha256, timezone.now())[0] == "stale"
    tasks.analyse(field.study.sha256)
    result = published(field)
    assert {row["stack"]: (row["n"], row["mos"]) for row in result.tables["mos"]} == {
        "QUIC": (1, 2.0),
        "TCP+": (1, 4.0),
    }
    assert {row["session_id"] for row in rows_of(result.snapshot, VOTES)} == {str(ben.pk)}
    assert result.snapshot.session_ids == [ben.pk]
    assert folders() == {result.snapshot.sha256}
    assert freshness(field.study.sha256, timezone.now())[0] == "fresh"


def test_snapshots_without_them_stay(pair: tuple[Field, Session, Session]) -> None:
    field, _, _ = pair
    late = field.session()
    field.rate("QUIC", 1, by=late)
    before = folders()
    erasure = erase(late.participant, by=By.PARTICIPANT).erasure
    assert (erasure.snapshots, erasure.exports, folders()) == ([], [], before)


def test_another_study_keeps_its_snapshots(pair: tuple[Field, Session, Session]) -> None:
    _, ann, _ = pair
    other = Field(2)
    other.rate("QUIC", 5)
    tasks.votes_arrived(other.study.sha256)
    digest = published(other).snapshot.sha256
    erase(ann.participant, by=By.PARTICIPANT)
    assert folders() == {digest}


def test_a_second_withdrawal_names_the_export_of_a_snapshot_that_the_first_one_took(
    pair: tuple[Field, Session, Session],
) -> None:
    _, ann, ben = pair
    erase(ann.participant, by=By.PARTICIPANT)
    assert erase(ben.participant, by=By.PARTICIPANT).erasure.exports == [Export.objects.get().pk]
    assert Erasure.objects.count() == 2


def test_what_was_read_before_an_erasure_is_not_stored(
    pair: tuple[Field, Session, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann is erased between the reading of the votes and the writing of the snapshot."""
    field, ann, ben = pair
    field.rate("TCP+", 1, by=field.session())
    original = queries.read

    def late(study_sha256: str, scratch: Path) -> Any:
        rows = original(study_sha256, scratch)
        if Erasure.objects.count() == 0:
            erase(ann.participant, by=By.PARTICIPANT)
        return rows

    monkeypatch.setattr(store, "read", late)
    taken = Snapshot.objects.get(pk=take_snapshot(field.study.sha256).pk)
    assert ann.pk not in taken.session_ids
    assert ben.pk in taken.session_ids
    assert folders() == {taken.sha256}


def test_an_erasure_each_time_ends_in_an_error_and_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    field.rate("QUIC", 5)
    original = queries.read

    def late(study_sha256: str, scratch: Path) -> queries.Rows:
        rows = original(study_sha256, scratch)
        with transaction.atomic():
            forget_sessions([study_sha256], [])
        return rows

    monkeypatch.setattr(store, "read", late)
    with pytest.raises(ErasedMeanwhileError):
        take_snapshot(field.study.sha256)
    # nobody was erased here, so the parts stay for an analysis that may have written the same
    assert (Snapshot.objects.count(), folders()) == (0, set())


def test_a_worker_that_is_at_it_cannot_publish(pair: tuple[Field, Session, Session]) -> None:
    field, ann, _ = pair
    turns.ask(field.study.sha256)
    AnalysisState.objects.update(not_before=None)
    turn = turns.claim(field.study.sha256, timezone.now())
    assert turn is not None
    result = published(field)
    erase(ann.participant, by=By.PARTICIPANT)
    with pytest.raises(LostLeaseError):
        turns.finish(turn, result, timezone.now())


def test_files_that_a_crash_left_are_dropped_and_young_ones_kept(pair: tuple[Field, Session, Session]) -> None:
    root = snapshot_folder()
    known = folders()
    for name in ("a" * 64, "0" * 64, "young"):
        (root / name).mkdir()
        (root / name / "votes.parquet").write_bytes(b"left")
    for name in known | {"a" * 64, "0" * 64}:
        for file in (root / name).iterdir():
            os.utime(file, (time.time() - 7200,) * 2)
    assert drop_strays() == 2
    assert folders() == known | {"young"}
