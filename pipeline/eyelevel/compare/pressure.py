"""Tests whether the runs of stacks differ in the use of processors by others, and in waiting for a processor."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from eyelevel.compare.columns import HIGH, HOLM, NETWORK, OfPair, tests_of
from eyelevel.compare.model import Load, Pair
from eyelevel.compare.quality import within_scenes
from eyelevel_core.model.take import Pressure
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_stats.arms import Difference

# the tested figures by name
FIGURES: Mapping[str, Callable[[Pressure], float | None]] = {
    "some tasks of the run waited": lambda pressure: pressure.waiting_some_share,
    "all active tasks of the run waited": lambda pressure: pressure.waiting_full_share,
    "used by others": lambda pressure: pressure.outside_share + pressure.steal_share,
}


@dataclass(frozen=True)
class PressureTest(OfPair):
    """One figure of one pair on one network: means over the takes, and their difference within sites."""

    network: str = column(NETWORK)
    share_of: str = column(
        "share that is compared: time in which tasks of the run waited for a processor, or time of all processors "
        "that others used",
        head="share of time",
    )
    share_new: float = column("mean over the takes of the new stack; a fraction", head="new", shown="share")
    share_reference: float = column("mean over the takes of the reference; a fraction", head="reference", shown="share")
    estimate: Difference = part()
    difference: ClassVar[float] = derived(
        "estimate.difference", "mean over sites of the difference, new - reference; a fraction", shown="percent"
    )
    ci_low: ClassVar[float | None] = derived(
        "estimate.ci_low", "lower end of the 95 % interval of difference", head="95 %", shown="percent", until="ci_high"
    )
    ci_high: ClassVar[float | None] = derived("estimate.ci_high", HIGH)
    p_value: ClassVar[float | None] = derived(
        "estimate.p_value", "two-sided p-value of Welch's test within sites", head="p", shown="p"
    )
    p_adjusted: float | None = column(HOLM, head="p, Holm", shown="p", default=None)


PRESSURE = Table("pressure", "Use of the processors while pages loaded, between stacks", "", PressureTest)


def pressure_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[PressureTest]:
    """Returns a row per network, pair and figure that takes of both stacks know."""
    return tests_of(loads, pairs, FIGURES, _row)


def _row(loads: Sequence[Load], network: str, pair: Pair, figure: str) -> PressureTest | None:
    def share(load: Load) -> float | None:
        return None if load.pressure is None else FIGURES[figure](load.pressure)

    estimate = within_scenes(loads, pair, share)
    if estimate is None:
        return None
    new, reference = (
        fmean(known for load in loads if load.stack == stack and (known := share(load)) is not None)
        for stack in (pair.new, pair.reference)
    )
    return PressureTest(pair, network, figure, new, reference, estimate)
