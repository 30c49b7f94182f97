"""A closed study is deleted whole, alone and for good: rows, files, and again after a restore."""

import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.models import ForeignKey, Model
from django.test import Client
from django.utils import timezone

from accounts.models import Role, User
from analysis.models import Snapshot
from analysis.snapshots.erasure import drop_strays
from analysis.tasks import votes_arrived
from audit.models import AuditEntry
from lib.problems import Problem
from privacy import erasure_ledger, study_deletion
from privacy.erasure import erase
from privacy.models import By
from privacy.restore import Replayed, replay
from privacy.study_deletion import OWN, contents, delete_study
from ratings.models import Participant, PlayFailure, Session, Vote
from stimuli.models import Batch
from studies.archive import archive
from studies.models import Study
from testing import studies, withdrawing
from testing.store import close_ledger, ledger_folder, snapshot_folder
from testing.votes import Field
from testing.web import post


def references(model: type[Model]) -> Iterator[type[Model]]:
    """Models with a foreign key to this one."""
    for other in apps.get_models():
        if any(isinstance(field, ForeignKey) and field.related_model is model for field in other._meta.fields):
            yield other


def test_every_table_that_leads_to_a_study_is_deleted_with_it() -> None:
    found: set[type[Model]] = {Study}
    new: set[type[Model]] = {Study}
    while new:
        new = {other for model in new for other in references(model)} - found
        found |= new
    # no foreign key leads from a participant to their study
    assert {label for label, _ in OWN} == {model._meta.label for model in found} | {"ratings.Participant"}


@pytest.fixture
def admin(db: None) -> User:
    return studies.user("ada", Role.ADMIN)


@pytest.fixture
def rosa(db: None) -> User:
    return studies.user("rosa", Role.RESEARCHER)


def rows() -> dict[str, list[str]]:
    """Every row of every table, as PostgreSQL prints it."""
    found: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            cursor.execute(f'SELECT t::text FROM "{table}" AS t ORDER BY 1')  # noqa: S608 - a name of Django's own
            found[table] = [row for (row,) in cursor.fetchall()]
    return found


def digest_of(folder: Path) -> dict[str, str]:
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def filled(field: Field) -> Field:
    """Votes, an erased participant, a snapshot with results, an export and a count."""
    erased = field.session(answers={"age": "old"})
    field.rate("QUIC", 7)
    field.play(field.compare("left").trial)
    erase(erased.participant, by=By.ADMIN)
    votes_arrived(field.study.pk)
    PlayFailure.objects.create(fielding=field.fielding, stimulus=field.stimuli["QUIC"], browser="other", fault="gone")
    return field


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_goes_whole_and_others_stay_byte_for_byte(
    rosa: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    filled(Field(2))
    before, files = rows(), digest_of(snapshot_folder())
    with django_capture_on_commit_callbacks(execute=True):
        field = filled(Field(1))
    batch = field.study.batch
    archive(field.study, by=rosa)
    assert digest_of(snapshot_folder()) != files
    with django_capture_on_commit_callbacks(execute=True):
        deleted = delete_study(field.study, by=rosa, with_batch=False)
    assert (deleted.votes, deleted.sessions, deleted.erased, deleted.snapshots) == (2, 2, 1, 1)
    after = rows()
    # what is said of a study after its end: its erasures and the log
    changed = {table for table in before if before[table] != after[table]}
    assert changed <= {"audit_auditentry", "privacy_erasure", "stimuli_batch", "stimuli_take", "stimuli_clip"}
    assert digest_of(snapshot_folder()) == files
    assert Batch.objects.filter(pk=batch.pk).exists()


@pytest.mark.django_db
@pytest.mark.services
def test_every_row_of_a_participant_goes_with_the_study(rosa: User) -> None:
    study = withdrawing.leaver(withdrawing.fielding()).fielding.study
    archive(study, by=rosa)
    delete_study(study, by=rosa, with_batch=False)
    left = rows()
    assert [table for table in left if table.startswith("ratings_") and left[table]] == []
    assert left["conformance_verdict"] == left["studies_slot"] == left["studies_study"] == []


@pytest.mark.django_db
@pytest.mark.services
def test_the_way_past_the_triggers_is_open_for_the_named_study_only() -> None:
    mine, other = Field(1), Field(2)
    mine.rate("QUIC", 7)
    vote = other.rate("QUIC", 7)
    with (
        pytest.raises(DatabaseError, match="ratings_vote is append-only; DELETE refused"),
        transaction.atomic(),
        study_deletion._deleting(mine.study.pk),
    ):
        Vote.objects.filter(pk=vote.pk)._raw_delete("default")
    erased = other.session().participant
    erase(erased, by=By.ADMIN)
    with (
        pytest.raises(DatabaseError, match="ratings_participant is a tombstone"),
        transaction.atomic(),
        study_deletion._deleting(mine.study.pk),
    ):
        Participant.with_tombstones.filter(pk=erased.pk)._raw_delete("default")
    assert Vote.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_with_a_link_that_is_not_closed_stays(rosa: User) -> None:
    field = Field()
    with pytest.raises(Problem, match=r"^The study demo has a link that is not closed; close it or archive the study"):
        delete_study(field.study, by=rosa, with_batch=False)
    assert Study.objects.exists()


@pytest.mark.django_db
@pytest.mark.services
def test_an_earlier_version_stays_while_a_later_one_is_there(rosa: User) -> None:
    """The later one tells its departures from the plan by comparison with it."""
    earlier, later = Field(1), Field(2)
    Study.objects.filter(pk=later.study.pk).update(parent_sha256=earlier.study.pk, name="later")
    for field in (earlier, later):
        archive(field.study, by=rosa)
    with pytest.raises(Problem, match=r"^The study demo is the earlier version \(parent\) of later; delete the later"):
        delete_study(earlier.study, by=rosa, with_batch=False)
    delete_study(later.study, by=rosa, with_batch=False)
    delete_study(earlier.study, by=rosa, with_batch=False)
    assert not Study.objects.exists()


@pytest.mark.django_db
@pytest.mark.services
def test_a_ledger_that_cannot_be_written_keeps_the_study(rosa: User, settings: Any) -> None:
    field = filled(Field())
    archive(field.study, by=rosa)
    close_ledger()
    before = rows()
    with pytest.raises(erasure_ledger.LedgerError), transaction.atomic():
        delete_study(field.study, by=rosa, with_batch=False)
    assert rows() == before


@pytest.mark.django_db
@pytest.mark.services
def test_what_a_kill_after_the_commit_leaves_is_removed_later(rosa: User, settings: Any) -> None:
    """The test's transaction never commits, so no file is removed by the deletion."""
    field = filled(Field())
    archive(field.study, by=rosa)
    files = [*snapshot_folder().glob("*/*")]
    assert {file.parent.name for file in files} == {Snapshot.objects.get().pk, field.study.pk}
    delete_study(field.study, by=rosa, with_batch=False)
    old = time.time() - 2 * 3600
    for file in files:
        os.utime(file, (old, old))
    assert drop_strays() == len(files)
    assert list(snapshot_folder().iterdir()) == []


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_that_an_older_backup_brings_back_is_deleted_again(rosa: User, settings: Any) -> None:
    field = filled(Field())
    archive(field.study, by=rosa)
    point = transaction.savepoint()
    delete_study(field.study, by=rosa, with_batch=False)
    (entry,) = [entry for entry in erasure_ledger.read() if entry.deleted]
    assert (entry.study, replay()) == (field.study.pk, Replayed(0, 0, 0))
    transaction.savepoint_rollback(point)
    assert Study.objects.exists()
    assert replay() == Replayed(participants=0, recruiter_ids=0, noted=0, studies=1)
    assert not Study.objects.exists()
    assert not Session.with_tombstones.exists()
    assert str(Replayed(0, 0, 0, studies=1)).startswith("Erased again: 0 participants, 0 recruiter ids, 1 study;")
    # the log says so again, with the same id
    assert AuditEntry.objects.get(what="delete").details["deletion"] == str(entry.id)
    shutil.rmtree(ledger_folder())
    assert replay().noted >= 1
    assert entry in erasure_ledger.read()


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_that_was_published_again_later_stays(rosa: User) -> None:
    field = Field()
    archive(field.study, by=rosa)
    delete_study(field.study, by=rosa, with_batch=False)
    Batch.objects.all().delete()
    again = Field()
    Study.objects.filter(pk=again.study.pk).update(published_at=timezone.now() + timedelta(seconds=1))
    assert replay() == Replayed(0, 0, 0)
    assert Study.objects.exists()


@pytest.mark.django_db
@pytest.mark.services
def test_the_batch_goes_with_the_study_if_an_admin_asks_and_no_other_study_uses_it(rosa: User, admin: User) -> None:
    studies.visible_batch()
    first, other = studies.study(owner=rosa), studies.study(owner=rosa, name="other")
    for study in (first, other):
        archive(study, by=rosa)
    assert contents(first).batch.other_studies == 1
    with pytest.raises(Problem, match="ask an admin"):
        delete_study(first, by=rosa, with_batch=True)
    with pytest.raises(Problem, match=r"is used by studies: other\. Delete these studies first\.$"):
        delete_study(first, by=admin, with_batch=True)
    assert Study.objects.count() == 2
    delete_study(other, by=rosa, with_batch=False)
    delete_study(first, by=admin, with_batch=True)
    assert (Study.objects.count(), Batch.objects.count()) == (0, 0)


@pytest.mark.django_db
@pytest.mark.services
def test_the_page_says_what_goes_and_the_studys_name_confirms(client: Client, rosa: User) -> None:
    field = filled(Field())
    client.force_login(rosa)
    path = f"/api/research/studies/{field.study.pk}"
    listed = client.get(f"{path}/deletion").json()
    assert listed == {
        "links": 1,
        "sessions": 2,
        "votes": 2,
        "erased": 1,
        "recruiter_ids": 0,
        "snapshots": 1,
        "exports": 0,
        "batch": {"sha256": field.study.batch_id, "campaign": "demo", "bytes": 0, "other_studies": 0},
        "later_versions": [],
    }
    assert post(client, f"{path}/archive", {"archived": True}).json()["archived_at"] is not None
    wrong = post(client, f"{path}/deletion", {"confirm": "yes"})
    assert (wrong.status_code, wrong.json()["error"]["message"]) == (
        422,
        "confirm is 'yes', but must be the study's name, demo.",
    )
    assert post(client, f"{path}/deletion", {"confirm": "demo"}).json() == listed
    assert post(client, f"{path}/deletion", {"confirm": "demo"}).status_code == 404


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_that_is_published_again_has_plans_of_its_own(rosa: User) -> None:
    """A process keeps a study's stimuli in memory, and the same file has the same digest."""
    studies.visible_batch()
    study = studies.study(owner=rosa)
    studies.start(study.fieldings.get())
    archive(study, by=rosa)
    delete_study(study, by=rosa, with_batch=False)
    again = studies.study(owner=rosa)
    assert again.pk == study.pk
    session, _ = studies.start(again.fieldings.get())
    assert {trial.stimulus.study_id for trial in session.trials.select_related("stimulus")} == {again.pk}


@pytest.mark.django_db
@pytest.mark.services
def test_a_task_of_a_deleted_study_does_nothing(rosa: User) -> None:
    field = filled(Field())
    archive(field.study, by=rosa)
    delete_study(field.study, by=rosa, with_batch=False)
    before = rows()
    votes_arrived(field.study.pk)
    assert rows() == before


@pytest.mark.django_db
@pytest.mark.services
def test_admins_read_the_log_of_a_deleted_study(client: Client, rosa: User, admin: User) -> None:
    study = Field().study
    archive(study, by=rosa)
    delete_study(study, by=rosa, with_batch=False)
    client.force_login(admin)
    entries = client.get(f"/api/audit?study={study.pk}").json()["entries"]
    assert [entry["what"] for entry in entries] == ["delete", "archive", "close"]
    client.force_login(rosa)
    assert client.get(f"/api/audit?study={study.pk}").status_code == 404
