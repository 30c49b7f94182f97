"""Departures of a study from its sealed plan: in its design, its looks, its sample size, and its analyses.

Departures from preregistered plans must be reported (B. A. Nosek, C. R. Ebersole, A. C. DeHaven, D. T. Mellor, The
preregistration revolution, PNAS 115, 2018).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel_core.study.changes import Change
from eyelevel_core.study.design import Plan
from eyelevel_core.tables import Table, column

Kind = Literal[
    "rule", "hypothesis_added", "hypothesis_removed", "plan", "design", "look", "sample_size", "analysis", "simulated"
]
SIMULATED: Kind = "simulated"
# analyses that results may have, and the kinds of hypotheses by any of which a plan names them
ANALYSES: Mapping[str, tuple[str, ...]] = {
    "mos": ("rate",),
    "comparisons": ("compare",),
    "metrics": ("metrics",),
    "checks": ("rate", "compare"),
    # hypotheses cannot name these
    "groups": (),
    "recalled": (),
}
NAMES = {
    "mos": "mean ratings (MOS) of stacks",
    "comparisons": "preferences between stacks shown side by side",
    "metrics": "agreement of metrics with mean ratings",
    "checks": "quality checks of the votes",
    "groups": "differences between groups or contexts",
    "recalled": "methods of the 2019 user study, applied to these votes",
}
LONGEST = 80


@dataclass(frozen=True)
class Departure:
    """A departure; `sentence` describes it.

    `subject` is a field of the study file, a hypothesis, or an analysis. `before` and `after` are the field's two
    values as JSON text. `at` is its time (ISO 8601), `sessions` the number of used sessions by then; None where that
    does not apply.
    """

    kind: Kind = column(
        "type of departure: rule, plan or design (a field has a different value from an earlier version with "
        "votes), hypothesis_added, hypothesis_removed, look, sample_size, analysis or simulated",
        "rule, plan oder design (ein Feld hat einen anderen Wert als in einer früheren Version mit Bewertungen), "
        "hypothesis_added, hypothesis_removed, look, sample_size, analysis oder simulated",
    )
    subject: str = column(
        "item that departs from the plan: a field of the study file, a hypothesis, or an analysis",
        "was abweicht: ein Feld der Studiendatei, eine Hypothese oder eine Auswertung",
        head_de="Gegenstand",
    )
    sentence: str = column(
        "description of the departure in words",
        "die Abweichung in Worten, auf Englisch",
        head="in words",
        head_de="in Worten",
    )
    before: str | None = column(
        "value of the field in the earlier version, as JSON, or the planned number of sessions; empty if there is none",
        "Wert des Felds in der früheren Version, als JSON, oder geplante Zahl der Sitzungen; leer, wo es keinen gab",
        head_de="vorher",
        default=None,
    )
    after: str | None = column(
        "value of the field in this version, as JSON; empty if it has none",
        "Wert des Felds in dieser Version, als JSON; leer, wo es keinen hat",
        head_de="nachher",
        default=None,
    )
    at: str | None = column(
        "time when this version was published or when results were opened; ISO 8601",
        "wann diese Version veröffentlicht oder Ergebnisse geöffnet wurden; ISO 8601",
        head="time",
        head_de="Zeit",
        holds="datetime",
        default=None,
    )
    sessions: int | None = column(
        "number of used sessions when results were opened, or of the closed study",
        "verwendete Sitzungen, als Ergebnisse geöffnet wurden, oder die der geschlossenen Studie",
        default=None,
    )


DEPARTURES = Table("departures", "Departures from the plan", "Abweichungen vom Plan", Departure)


@dataclass(frozen=True)
class Parent:
    """The previous version, which has votes of people: its differences, and the publication time of this version."""

    name: str
    votes: int
    changes: tuple[Change, ...]
    changed_at: str


@dataclass(frozen=True)
class Look:
    """An opening of results by stack during data collection; `planned` is its number in the plan, None without one."""

    at: str
    sessions: int
    planned: int | None


@dataclass(frozen=True)
class Sample:
    """The numbers of sessions of a closed study: the sum of all quotas, and those of people that are used."""

    planned: int
    used: int


def departures(
    plan: Plan,
    *,
    parent: Parent | None,
    looks: Sequence[Look],
    sample: Sample | None,
    shown: Collection[str],
    simulated: int,
) -> tuple[Departure, ...]:
    """Returns all departures: those of the design first, then looks in the order of time, then analyses and votes.

    `sample` is None as long as the study is in the field. `shown` has the analyses, of ANALYSES, that the results
    contain. `simulated` counts the simulated sessions whose votes are in the tables.
    """
    return (
        *(() if parent is None else _of_changes(parent)),
        *_of_looks(looks),
        *(() if sample is None else _of_sample(sample, looks)),
        *_of_analyses(plan, shown),
        *_of_simulated(simulated),
    )


def is_planned(plan: Plan, analysis: str) -> bool:
    """Whether a hypothesis of the plan is of a kind that the analysis covers; names are those of ANALYSES."""
    return any(hypothesis.kind in ANALYSES[analysis] for hypothesis in plan.hypotheses)


def _of_changes(parent: Parent) -> Iterator[Departure]:
    since = f"after {parent.votes} votes on the version before ({parent.name})"
    seen: set[str] = set()
    for change in parent.changes:
        kind, subject = _kind(change, parent.changes)
        if subject in seen:
            continue
        seen.add(subject)
        if kind in ("hypothesis_added", "hypothesis_removed"):
            word = "added" if kind == "hypothesis_added" else "removed"
            yield Departure(kind, subject, f"Hypothesis {subject} was {word} {since}.", at=parent.changed_at)
            continue
        before, after = (_in_short(value) for value in (change.before, change.after))
        sentence = f"{change.field} was changed from {before} to {after} {since}."
        yield Departure(kind, subject, sentence, change.before, change.after, parent.changed_at)


def _in_short(value: str | None) -> str:
    if value is None:
        return "not stated"
    return value if len(value) <= LONGEST else f"{value[:LONGEST]} …"


def _kind(change: Change, every: Sequence[Change]) -> tuple[Kind, str]:
    """Returns the kind and subject of a change; all fields of a new hypothesis are one departure."""
    if change.field.startswith("conformance."):
        return "rule", change.field
    if change.field.startswith("plan.hypotheses["):
        key = change.field.removeprefix("plan.hypotheses[").partition("]")[0]
        said = next((other for other in every if other.field == f"plan.hypotheses[{key}].key"), None)
        if said is not None:
            return ("hypothesis_added", key) if said.before is None else ("hypothesis_removed", key)
    return ("plan", change.field) if change.field.startswith("plan.") else ("design", change.field)


def _of_looks(looks: Iterable[Look]) -> Iterator[Departure]:
    for look in looks:
        if look.planned is None:
            sentence = f"Results by stack were opened with {look.sessions} used sessions, which the plan does not name."
            yield Departure("look", "results", sentence, at=look.at, sessions=look.sessions)


def _of_sample(sample: Sample, looks: Iterable[Look]) -> Iterator[Departure]:
    """After a planned look, a study may be closed early."""
    may_stop = any(look.planned is not None for look in looks)
    if sample.used > sample.planned or (sample.used < sample.planned and not may_stop):
        sentence = f"The study was closed with {sample.used} used sessions; its quotas plan {sample.planned}."
        yield Departure("sample_size", "sessions", sentence, before=f"{sample.planned}", sessions=sample.used)


def _of_analyses(plan: Plan, shown: Collection[str]) -> Iterator[Departure]:
    for name in ANALYSES:
        if name in shown and not is_planned(plan, name):
            yield Departure("analysis", name, f"Not in the plan, because no hypothesis is about it: {NAMES[name]}.")


def _of_simulated(count: int) -> Iterator[Departure]:
    if count:
        yield Departure(SIMULATED, "votes", f"Votes of simulated sessions are in every table: {count} sessions.")
