"""Funnel: participants left after each rule, per group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eyelevel_stats.conformance.finding import Broken
from eyelevel_stats.conformance.rules import RULES


@dataclass(frozen=True)
class Row:
    """A session. `broken` has the state of each rule, None until the session was judged.

    `left_out_by` has every reason for which it is excluded from analyses, also reasons other than R1 to R9.
    """

    group: str
    completed: bool
    accepted: bool
    broken: Mapping[str, Broken] | None
    left_out_by: frozenset[str]
    # trials that were skipped in a narrow window
    skipped: int = 0


@dataclass(frozen=True)
class Step:
    """A rule: how many broke it, whether or not an earlier rule excludes them, and how many are left after it."""

    rule: str
    broken: int
    unknown: int
    left: int


@dataclass(frozen=True)
class GroupFunnel:
    """started >= completed >= left after R1 >= ... >= left after R9 >= used.

    `waiting` are complete, but not judged yet; they are not among those left. `otherwise` are those left after R9 that
    are not used for another reason, by the reason, such as nothing rated, or over quota. `skipped` are complete, except
    for trials that were skipped in a narrow window.
    """

    group: str
    started: int
    completed: int
    waiting: int
    steps: tuple[Step, ...]
    otherwise: Mapping[str, int]
    used: int
    accepted: int
    skipped: int


def funnel(rows: Iterable[Row], *, groups: Sequence[str]) -> list[GroupFunnel]:
    """Computes one funnel per group, in the order of `groups`."""
    by_group: dict[str, list[Row]] = {group: [] for group in groups}
    for row in rows:
        by_group.setdefault(row.group, []).append(row)
    return [_of_group(group, sessions) for group, sessions in by_group.items()]


def _of_group(group: str, rows: Sequence[Row]) -> GroupFunnel:
    completed = [row for row in rows if row.completed]
    left = judged = [row for row in completed if row.broken is not None]
    steps = []
    for rule in RULES:
        left = [row for row in left if rule not in row.left_out_by]
        verdicts = [row.broken[rule] for row in judged if row.broken is not None]
        steps.append(Step(rule, broken=verdicts.count("yes"), unknown=verdicts.count("unknown"), left=len(left)))
    # only one of several reasons, so that the numbers add up
    otherwise = Counter(min(row.left_out_by) for row in left if row.left_out_by)
    return GroupFunnel(
        group=group,
        started=len(rows),
        completed=len(completed),
        waiting=len(completed) - len(judged),
        steps=tuple(steps),
        otherwise=dict(sorted(otherwise.items())),
        used=len(left) - otherwise.total(),
        accepted=sum(row.accepted for row in judged),
        skipped=sum(row.skipped > 0 for row in completed),
    )
