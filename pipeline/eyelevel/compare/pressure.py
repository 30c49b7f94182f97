"""Tests whether the stacks' runs differ in who used the processors, and in how long they waited for one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from eyelevel.compare.model import Load, Pair
from eyelevel.compare.quality import within_scenes
from eyelevel_core.model.take import Pressure
from eyelevel_stats.arms import Difference, holm

# what is tested, and in which words
FIGURES: Mapping[str, Callable[[Pressure], float | None]] = {
    "some tasks of the run waited": lambda pressure: pressure.waiting_some_share,
    "all active tasks of the run waited": lambda pressure: pressure.waiting_full_share,
    "used by others": lambda pressure: pressure.outside_share + pressure.steal_share,
}


@dataclass(frozen=True)
class PressureTest:
    """One figure of one pair on one network: means over the takes, and their difference within sites.

    `adjusted_p` is corrected by Holm among all rows.
    """

    network: str
    pair: Pair
    figure: str
    new_share: float
    reference_share: float
    found: Difference
    adjusted_p: float | None = None


def pressure_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[PressureTest]:
    """Only where takes of both stacks know the figure."""
    networks = dict.fromkeys(load.network for load in loads)
    rows = [
        row
        for pair in pairs
        for network in networks
        for figure in FIGURES
        if (row := _row([load for load in loads if load.network == network], network, pair, figure)) is not None
    ]
    adjusted = holm([row.found.p_value for row in rows])
    return [replace(row, adjusted_p=p) for row, p in zip(rows, adjusted, strict=True)]


def _row(loads: Sequence[Load], network: str, pair: Pair, figure: str) -> PressureTest | None:
    def share(load: Load) -> float | None:
        return None if load.pressure is None else FIGURES[figure](load.pressure)

    both = [load for load in loads if load.stack in (pair.new, pair.reference)]
    found = within_scenes(both, pair, share)
    if found is None:
        return None
    new, reference = (
        fmean(known for load in both if load.stack == stack and (known := share(load)) is not None)
        for stack in (pair.new, pair.reference)
    )
    return PressureTest(network, pair, figure, new, reference, found)
