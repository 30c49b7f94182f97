"""Rows of the looks that a plan names."""

from dataclasses import dataclass

from eyelevel_stats.hypotheses.rows import EffectRow, HypothesisRow


@dataclass(frozen=True)
class Look:
    """`level` is the two-sided nominal alpha at which this look judges, `boundary` the same in standard deviations.

    `sessions` counts the used sessions that are looked at; `spent` is the part of the plan's alpha spent up to here.
    """

    number: int
    sessions: int
    is_final: bool
    spent: float
    boundary: float
    level: float


@dataclass(frozen=True)
class LookRow(Look):
    """A look with the answers of the sessions that it is over; the answers at the end are those of the results."""

    hypotheses: tuple[HypothesisRow, ...] = ()
    effects: tuple[EffectRow, ...] = ()
