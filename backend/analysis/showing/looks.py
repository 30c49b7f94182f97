"""Looks: openings of results by stack during data collection, each with the numbers by then, from the audit log."""

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

# a page polls every few seconds: all that one account sees within this time is one look, unless a planned look is
# reached in between
APART = timedelta(hours=1)
Means = Literal["page", "program", "export"]


@dataclass(frozen=True)
class Opening:
    """One look; `actor` is None for users who may not read the study's log."""

    at: datetime = column(
        "when results by stack were opened", "wann Ergebnisse nach Stack geöffnet wurden",
        head="time", head_de="Zeit", holds="datetime",
    )  # fmt: skip
    actor: str | None = column(
        "the account that opened them; empty for users who may not read the study's log",
        "das Konto, das sie geöffnet hat; leer, wenn Sie das Protokoll der Studie nicht lesen dürfen",
        head="account", head_de="Konto",
    )  # fmt: skip
    by: Means = column(
        "how they were opened: on the study's page, by a program with a token, or by an export",
        "wie sie geöffnet wurden: auf der Seite der Studie, durch ein Programm mit Token oder durch einen Export",
        head="opened by",
        head_de="geöffnet durch",
        words={"page": ("page", "Seite"), "program": ("program", "Programm"), "export": ("export", "Export")},
    )
    sessions: int = column(
        "people's sessions that were used by then", "Sitzungen von Personen, die bis dahin verwendet wurden",
        head="used sessions", head_de="verwendete Sitzungen",
    )  # fmt: skip
    votes: int = column("votes of these sessions", "Bewertungen aus diesen Sitzungen", head_de="Bewertungen")
    planned: int | None = column(
        "number of the planned look, from 1; empty if the look was not planned",
        "Nummer des geplanten Blicks, ab 1; leer, wenn der Blick nicht geplant war",
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

    Records nothing after data collection, or while there are no votes of people.
    """
    people = of_origin(result, ResultOrigin.PERSON)
    if people is None or not people.votes or not in_field(study) or _is_seen(user, study, people):
        return
    with transaction.atomic():
        # a page requests tables and figures at the same time, which is one look
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if not _is_seen(user, study, people):
            record(user, What.LOOK, study, {"votes": people.votes, "sessions": people.sessions, "by": by})


def _is_seen(user: User, study: Study, people: Result) -> bool:
    """Whether the user's last look was less than APART ago, with no planned look reached in between."""
    entries = AuditEntry.objects.filter(what=What.LOOK, actor=user, study_sha256=study.pk)
    last = entries.filter(at__gt=timezone.now() - APART).order_by("-pk").first()
    at = planned_at(study)
    return last is not None and _reached(last.details["sessions"], at) == _reached(people.sessions, at)


def openings_of(study: Study) -> list[Opening]:
    """All looks at the study, in chronological order."""
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
    """The numbers of used sessions at which the plan has a look."""
    looks = study.design.plan.looks
    return () if looks is None else looks.at


def _reached(sessions: int, at: Sequence[int]) -> int:
    return sum(planned <= sessions for planned in at)
