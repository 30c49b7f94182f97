"""Looks: openings of results by stack while votes come in, each with what had come in by then; in the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from analysis.blinding import in_field
from analysis.models import Result, ResultOrigin
from analysis.origins import of_origin
from audit.log import record
from audit.models import AuditEntry, What
from eyelevel_stats.sequential.planned import planned_numbers
from studies.models import Study

# a page asks again every few seconds: what one person sees within this time is one look, unless a planned look is
# reached in between
APART = timedelta(hours=1)
Means = Literal["page", "program", "export"]


@dataclass(frozen=True)
class Opening:
    """One look; `votes` and `sessions` of people were used by then. `planned`: its number in the plan, or None."""

    at: datetime
    actor: str | None
    by: Means
    votes: int
    sessions: int
    planned: int | None


def record_look(user: User, study: Study, result: Result, *, by: Means) -> None:
    """Record that the user sees results by stack now.

    After the field, and without votes of people, this is no look, and nothing is recorded.
    """
    people = of_origin(result, ResultOrigin.PERSON)
    if people is None or not people.votes or not in_field(study) or _is_seen(user, study, people):
        return
    with transaction.atomic():
        # a page asks for tables and figures at the same time, which is one look
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if not _is_seen(user, study, people):
            record(user, What.LOOK, study, {"votes": people.votes, "sessions": people.sessions, "by": by})


def _is_seen(user: User, study: Study, people: Result) -> bool:
    """Whether the user's last look was a short while ago, with no planned look reached in between."""
    entries = AuditEntry.objects.filter(what=What.LOOK, actor=user, study_sha256=study.pk)
    last = entries.filter(at__gt=timezone.now() - APART).order_by("-pk").first()
    at = planned_at(study)
    return last is not None and _reached(last.details["sessions"], at) == _reached(people.sessions, at)


def openings_of(study: Study) -> list[Opening]:
    """All looks at the study, in the order of time."""
    entries = list(AuditEntry.objects.filter(what=What.LOOK, study_sha256=study.pk).order_by("pk"))
    numbers = planned_numbers([entry.details["sessions"] for entry in entries], planned_at(study))
    return [
        Opening(
            at=entry.at,
            actor=entry.actor_name,
            by=entry.details["by"],
            votes=entry.details["votes"],
            sessions=entry.details["sessions"],
            planned=number,
        )
        for entry, number in zip(entries, numbers, strict=True)
    ]


def planned_at(study: Study) -> tuple[int, ...]:
    """The numbers of used sessions at which the plan looks."""
    looks = study.design.plan.looks
    return () if looks is None else looks.at


def _reached(sessions: int, at: Sequence[int]) -> int:
    return sum(planned <= sessions for planned in at)
