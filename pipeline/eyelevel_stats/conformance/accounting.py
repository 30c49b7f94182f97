"""Accounting: assigns every session that began, with its votes, to exactly one outcome, so that all counts add up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from eyelevel_core.tables import Table, column

Outcome = Literal["used", "excluded", "over_quota", "waiting", "incomplete", "simulated"]
# reason in `left_out_by` that is not caused by the session
OVER_QUOTA = "beyond_quota"

MEANING: Mapping[Outcome, str] = {
    "used": "complete, and part of every table",
    "excluded": "complete, but excluded with all votes by a conformance rule or because the session has no new ratings",
    "over_quota": "complete, but over quota",
    "waiting": "complete, but not screened yet",
    "incomplete": "incomplete: still running, abandoned, or replaced by another session",
    "simulated": "not by a person; not part of this study's results, and counted in this row only",
}


@dataclass(frozen=True)
class Counted:
    """A session that began. `judged`: it has a verdict. `left_out_by`: reasons for which it is not used."""

    origin: str
    completed: bool
    judged: bool
    left_out_by: frozenset[str]
    votes: int


@dataclass(frozen=True)
class CountRow:
    """Sessions with one outcome, and their votes."""

    outcome: Outcome = column(
        "; ".join(f"{outcome}: {meaning}" for outcome, meaning in MEANING.items()),
        "used: vollständig und in jeder Tabelle; excluded: vollständig, aber mit allen Bewertungen ausgeschlossen, "
        "weil eine Regel der Konformität verletzt oder nichts Neues bewertet wurde; over_quota: vollständig, aber "
        "nicht verwendet, weil eine andere Sitzung den Platz in der Quote hat; waiting: vollständig, aber noch "
        "nicht geprüft; incomplete: nicht vollständig: läuft noch, abgebrochen oder durch eine andere Sitzung "
        "ersetzt; simulated: nicht von einer Person und hier ausgelassen; keine Zeile zählt sie ein zweites Mal",
        head_de="Ergebnis",
        words={
            "used": ("used in every figure", "in allen Zahlen enthalten"),
            "excluded": ("excluded by the screening", "bei der Prüfung ausgeschlossen"),
            "over_quota": ("over quota", "über der Quote"),
            "waiting": ("not screened yet", "noch nicht geprüft"),
            "incomplete": ("not complete", "nicht abgeschlossen"),
            "simulated": ("simulated", "simuliert"),
        },
    )
    sessions: int = column(
        "number of sessions that started and have this outcome; the rows add up to all sessions that started",
        "Sitzungen, die begonnen wurden und dieses Ergebnis haben; die Zeilen ergeben zusammen alle begonnenen "
        "Sitzungen",
    )
    votes: int = column(
        "number of votes of these sessions, including training; the rows add up to the votes in votes.parquet",
        "Bewertungen dieser Sitzungen, auch die der Übung; die Zeilen ergeben zusammen die Bewertungen in "
        "votes.parquet",
    )


COUNTS = Table("counts", "Sessions and votes by outcome", "Sitzungen und Bewertungen nach Ergebnis", CountRow)


def accounts(sessions: Iterable[Counted], *, simulated_too: bool = False) -> tuple[CountRow, ...]:
    """Counts sessions by outcome, in the order of MEANING; a session is in exactly one.

    Without `simulated_too`, all simulated sessions have the outcome `simulated`.
    """
    votes_of: dict[Outcome, list[int]] = {outcome: [] for outcome in MEANING}
    for session in sessions:
        votes_of[_outcome(session, simulated_too=simulated_too)].append(session.votes)
    return tuple(CountRow(outcome, len(votes), sum(votes)) for outcome, votes in votes_of.items())


def _outcome(session: Counted, *, simulated_too: bool) -> Outcome:
    if session.origin == "simulated" and not simulated_too:
        return "simulated"
    if not session.completed:
        return "incomplete"
    if not session.judged:
        return "waiting"
    if not session.left_out_by:
        return "used"
    return "over_quota" if session.left_out_by == {OVER_QUOTA} else "excluded"
