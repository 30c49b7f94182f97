"""Deletes a closed study with all of its data in one transaction, and files after it.

Votes and tombstones can be deleted only here: the transaction sets, for the triggers of `ratings.triggers`, which study
it deletes. If the process is killed before the commit, nothing changes. If it is killed later,
`analysis.tasks.drop_stray_snapshots`, `exports.tasks.drop_old_exports` and `stimuli.tasks.drop_stale_batches` delete
the remaining files. The ledger repeats the deletion after a restore.
"""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.apps import apps
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from accounts.models import Role, User
from accounts.permissions import FORBIDDEN
from analysis.models import Snapshot
from analysis.snapshots import files
from audit.log import record
from audit.models import AuditEntry, Kind, What
from exports.erasure import drop_after_commit
from exports.models import Export, ExportJob
from lib.problems import Problem
from privacy import erasure_ledger
from privacy.signals import values_erased
from ratings.models import Participant, Recruitment, Session, Vote
from stimuli import uploads
from stimuli.deletion import delete_unused
from stimuli.models import Batch
from studies.models import FieldingState, Study

TRIES = 3
# model -> path to its study, in the order of deletion: a row is deleted before the rows on its path to the study. The
# triggers find the study of a participant through its sessions
OWN = (
    ("ratings.Play", "trial__session__fielding__study"),
    ("ratings.Vote", "session__fielding__study"),
    ("ratings.Exclusion", "session__fielding__study"),
    ("ratings.ControlAnswer", "session__fielding__study"),
    ("conformance.Verdict", "session__fielding__study"),
    ("ratings.PersonAnswers", "session__fielding__study"),
    ("ratings.Recruitment", "study"),
    ("ratings.Participant", "sessions__fielding__study"),
    ("ratings.Trial", "session__fielding__study"),
    ("ratings.Session", "fielding__study"),
    ("ratings.PlayFailure", "fielding__study"),
    ("ratings.ProblemShown", "fielding__study"),
    ("fieldwork.RaisedAlert", "study"),
    ("studies.Slot", "fielding__study"),
    ("studies.Assignment", "fielding__study"),
    ("studies.Fielding", "study"),
    ("analysis.InDepthResult", "result__snapshot__study"),
    ("analysis.AnalysisState", "study"),
    ("analysis.Result", "snapshot__study"),
    ("analysis.Snapshot", "study"),
    ("analysis.Part", "study"),
    ("exports.Export", "study"),
    ("exports.ExportJob", "study"),
    ("studies.Stimulus", "study"),
    ("studies.StudyShare", "study"),
    ("studies.StoredCount", "study"),
    ("studies.Study", "pk"),
)


@dataclass(frozen=True)
class BatchOfStudy:
    """The study's batch; `other_studies` is the number of other studies that use it."""

    sha256: str
    campaign: str
    bytes: int
    other_studies: int


@dataclass(frozen=True)
class Contents:
    """Numbers of things that a deletion of the study deletes, and its batch."""

    links: int
    sessions: int
    votes: int
    erased: int
    recruiter_ids: int
    snapshots: int
    exports: int
    batch: BatchOfStudy
    # names of the studies that have this one as parent
    later_versions: list[str]


def contents(study: Study) -> Contents:
    """Count the study's data; `erased` are participants who were erased, `sessions` and `votes` are of the others."""
    participants = Participant.with_tombstones.filter(sessions__fielding__study=study).distinct()
    return Contents(
        links=study.fieldings.count(),
        sessions=Session.objects.filter(fielding__study=study).but_previews().count(),
        votes=Vote.objects.filter(study=study).count(),
        erased=participants.exclude(erased_at=None).count(),
        recruiter_ids=Recruitment.objects.filter(study=study).count(),
        snapshots=Snapshot.objects.filter(study=study).count(),
        exports=Export.objects.filter(study=study).count(),
        batch=BatchOfStudy(
            sha256=study.batch_id,
            campaign=study.batch.campaign,
            bytes=study.batch.files.aggregate(sum=Sum("bytes"))["sum"] or 0,
            other_studies=study.batch.studies.exclude(pk=study.pk).count(),
        ),
        later_versions=list(
            Study.objects.filter(parent_sha256=study.pk).order_by("published_at").values_list("name", flat=True)
        ),
    )


def delete_study(study: Study, *, by: User, with_batch: bool) -> Contents:
    """Delete the study, and the batch if `with_batch`; returns what was deleted.

    Raises Problem 409 `not_allowed` while a link is not closed or a later version exists, 409 `in_use` or 403 for the
    batch, and LedgerError; then nothing is deleted.
    """
    if with_batch and by.role != Role.ADMIN:
        raise Problem(403, "forbidden", FORBIDDEN)
    entry = erasure_ledger.Entry(id=uuid.uuid4(), erased_at=timezone.now(), study=study.pk, deleted=True)
    deleted = _patiently(study, entry, by=by, with_batch=with_batch, write_ledger=True)
    # the planner statistics contain samples of values
    transaction.on_commit(lambda: values_erased.send_robust(sender=Study))
    return deleted


def delete_again(entry: erasure_ledger.Entry) -> bool:
    """Repeat a deletion from the ledger, unless the study was published again later; returns whether it existed."""
    study = Study.objects.filter(pk=entry.study, published_at__lte=entry.erased_at).first()
    if study is None:
        return False
    _patiently(study, entry, by=None, with_batch=False, write_ledger=False)
    return True


def deletions_on_record() -> list[erasure_ledger.Entry]:
    """The deletions in the audit log, as entries of the ledger."""
    events = AuditEntry.objects.filter(what=What.DELETE, kind=Kind.STUDY).order_by("pk")
    return [
        erasure_ledger.Entry(
            id=uuid.UUID(event.details["deletion"]),
            erased_at=datetime.fromisoformat(event.details["at"]),
            study=event.study_sha256,
            deleted=True,
        )
        for event in events
    ]


def _patiently(
    study: Study, entry: erasure_ledger.Entry, *, by: User | None, with_batch: bool, write_ledger: bool
) -> Contents:
    for attempt in range(1, TRIES + 1):
        try:
            return _delete(study, entry, by=by, with_batch=with_batch, write_ledger=write_ledger)
        except (OperationalError, IntegrityError):
            # a deadlock with answers that were being stored, or a session that began a moment ago
            if attempt == TRIES:
                raise
            time.sleep(0.05 * attempt)
    raise AssertionError("the last attempt returns or raises")


def _delete(
    study: Study, entry: erasure_ledger.Entry, *, by: User | None, with_batch: bool, write_ledger: bool
) -> Contents:
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).filter(pk=study.pk).first()
        if locked is None:
            # two concurrent requests
            raise Problem(404, "not_found", f"There is no study {study.pk}; it was deleted a moment ago.")
        counted = contents(locked)
        if write_ledger:
            _check_allowed(locked, counted)
        record(by, What.DELETE, locked, _details(entry, counted))
        folders = list(Snapshot.objects.filter(study=locked).values_list("sha256", flat=True))
        drop_after_commit(ExportJob.objects.filter(study=locked))
        _delete_rows(locked.pk)
        digests = _delete_batch(locked.batch_id, by=by) if with_batch else []
        transaction.on_commit(partial(files.drop, [*folders, locked.pk]))
        transaction.on_commit(partial(uploads.drop_unlisted, digests))
        # last before the commit, as an erasure does
        if write_ledger:
            erasure_ledger.append([entry])
    return counted


def _check_allowed(study: Study, counted: Contents) -> None:
    if study.fieldings.exclude(state=FieldingState.CLOSED).exists():
        message = f"The study {study.name} has a link that is not closed; close it or archive the study first."
        raise Problem(409, "not_allowed", message)
    if counted.later_versions:
        # departures from the plan are found by comparison with the earlier version
        names = ", ".join(counted.later_versions)
        message = f"The study {study.name} is the earlier version (parent) of {names}; delete the later one first."
        raise Problem(409, "not_allowed", message)


def _delete_rows(study_sha256: str) -> None:
    # in the order in which votes lock rows too
    sessions = Session.with_tombstones.filter(fielding__study=study_sha256).order_by("pk")
    list(sessions.select_for_update(of=("self",)).values_list("pk", flat=True))
    with _deleting(study_sha256):
        for label, path in OWN:
            model = apps.get_model(label)
            # one statement per model, without reading rows; foreign keys are checked at the commit
            rows: QuerySet[Any] = model._base_manager.filter(**{path: study_sha256})
            rows._raw_delete(rows.db)


def _delete_batch(sha256: str, *, by: User | None) -> list[str]:
    batch = Batch.objects.select_for_update().get(pk=sha256)
    return delete_unused(batch, by=by)


def _details(entry: erasure_ledger.Entry, counted: Contents) -> dict[str, object]:
    names = ("links", "sessions", "votes", "recruiter_ids", "snapshots", "exports")
    about = {"deletion": str(entry.id), "at": entry.erased_at.isoformat()}
    return about | {name: getattr(counted, name) for name in names}


@contextmanager
def _deleting(study_sha256: str) -> Iterator[None]:
    """Permit the deletion to the triggers, for this transaction only."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('eyelevel.study_deletion', %s, true)", [study_sha256])
        yield
        cursor.execute("SELECT set_config('eyelevel.study_deletion', '', true)")
