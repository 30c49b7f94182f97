"""Withdrawal: returns the study's promises, erases the participant, and reports exports that could not be erased."""

from django.db import transaction

from exports.models import Export
from lib.problems import Problem
from privacy.erasure import erase
from privacy.erasure_ledger import LedgerError
from privacy.models import By, Erasure
from privacy.schemas import LeftExport, Promise, Promises, Withdrawn
from privacy.signals import values_erased
from ratings.models import Participant, Session


def promises_to(session: Session, *, here: bool) -> Promises:
    """The promises of all the participant's sessions, this one first; unless `here` (in this browser), only its own."""
    if not here:
        return Promises(session_id=None, promises=[_promise(session, votes=None)])
    sessions = session.participant.sessions.select_related("fielding__study").order_by("started_at")
    this_first = sorted(sessions, key=lambda row: row.pk != session.pk)
    return Promises(session_id=session.pk, promises=[_promise(row, votes=row.votes.count()) for row in this_first])


def withdraw(participant: Participant) -> Withdrawn:
    """Erase the participant at their request; raises Problem 503 `ledger` if the ledger cannot be written."""
    try:
        done = erase(participant, by=By.PARTICIPANT)
    except LedgerError as error:
        raise Problem(
            503,
            "ledger",
            "Nothing was erased, because the platform cannot record the erasure at the moment; try again later.",
            retry=True,
        ) from error
    transaction.on_commit(lambda: values_erased.send_robust(sender=Erasure))
    erasure = done.erasure
    left = Export.objects.filter(pk__in=erasure.exports).order_by("exported_at")
    return Withdrawn(
        erased_at=erasure.erased_at,
        sessions=erasure.rows.get("ratings.Session", 0),
        votes=erasure.votes,
        plays=erasure.rows.get("ratings.Play", 0),
        answers_about_person=erasure.rows.get("ratings.PersonAnswers", 0),
        recruiter_ids=done.recruiter_ids,
        snapshots=len(erasure.snapshots),
        exports=[LeftExport(exported_at=export.exported_at) for export in left],
    )


def _promise(session: Session, *, votes: int | None) -> Promise:
    design = session.fielding.study.design
    retention = design.retention
    return Promise(
        title=dict(design.title),
        languages=list(design.languages),
        consent_version=session.consent_version or design.consent.version,
        consent=dict(design.consent.text),
        retention=dict(retention.text) if retention else None,
        contact=design.contact,
        votes=votes,
    )
