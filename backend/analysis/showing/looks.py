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
from eyelevel_core.tables import Table, column
from eyelevel_stats.sequential.planned import planned_numbers
from studies.models import Study

# a page asks again every few seconds: what one person sees within this time is one look, unless a planned look is
# reached in between
APART = timedelta(hours=1)
Means = Literal["page", "program", "export"]


@dataclass(frozen=True)
class Opening:
    """One look; `actor` is None for those who may not read the study's log."""

    at: datetime = column(
        "when results by stack were opened", "wann Ergebnisse nach Stack geöffnet wurden",
        head="time", head_de="Zeit", holds="datetime",
    )  # fmt: skip
    actor: str | None = column(
        "the account that opened them; empty for those who may not read the study's log",
        "das Konto, das sie geöffnet hat; leer für alle, die das Protokoll der Studie nicht lesen dürfen",
        head="who", head_de="wer",
    )  # fmt: skip
    by: Means = column(
        "the means: the study's page, a program with a token, or an export",
        "womit: die Seite der Studie, ein Programm mit Token oder ein Export",
        head_de="womit",
        words={"page": ("page", "Seite"), "program": ("program", "Programm"), "export": ("export", "Export")},
    )
    sessions: int = column(
        "people's sessions that were used by then", "Sitzungen von Personen, die bis dahin verwendet waren",
        head="used sessions", head_de="verwendete Sitzungen",
    )  # fmt: skip
    votes: int = column("votes of these sessions", "Bewertungen aus diesen Sitzungen", head_de="Bewertungen")
    planned: int | None = column(
        "number of the planned look that it was, from 1; empty where the plan does not name it",
        "Nummer des geplanten Blicks, der es war, ab 1; leer, wo der Plan ihn nicht nennt",
        head="planned look", head_de="geplanter Blick",
    )  # fmt: skip


OPENINGS = Table(
    "looks",
    "Looks at results by stack during data collection",
    "Blicke auf Ergebnisse nach Stack während der Erhebung",
    Opening,
)


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
