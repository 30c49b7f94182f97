"""Tests whether stacks differ in what their films lack: changes lost, frames that may be torn, pictures fetched late.

A film in which one stack's changes are lost or late shifts that stack's visual metrics. None of it voids a run, as a
stack that keeps the processors busy would keep its lucky runs only.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from eyelevel.compare.model import Load, Pair
from eyelevel.compare.quality import by_scene
from eyelevel_stats.arms import RankTest, compare_ranks, holm

# what is tested, and in which words
FIGURES: Mapping[str, Callable[[Load], float | None]] = {
    "changes lost": lambda load: load.lost_changes,
    "frames that may be torn": lambda load: load.unquiet_frames,
    "latest fetch, ms": lambda load: load.late_ms,
}


@dataclass(frozen=True)
class FilmTest:
    """One figure of one pair on one network: means over the takes, and a rank test within sites.

    `new` and `reference` count takes where the figure is above 0. `adjusted_p` is corrected by Holm among all rows.
    """

    network: str
    pair: Pair
    figure: str
    new: int
    reference: int
    new_mean: float
    reference_mean: float
    found: RankTest
    adjusted_p: float | None = None


def film_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[FilmTest]:
    """A row per network, pair and figure that takes of both stacks know, and that is above 0 in any of them."""
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


def _row(loads: Sequence[Load], network: str, pair: Pair, figure: str) -> FilmTest | None:
    both = [load for load in loads if load.stack in (pair.new, pair.reference)]
    strata = by_scene(both, pair, FIGURES[figure])
    found = compare_ranks(strata)
    new, reference = ([value for stratum in strata for value in stratum[arm]] for arm in (0, 1))
    if found is None or not any(new + reference):
        return None
    above = [sum(value > 0 for value in own) for own in (new, reference)]
    return FilmTest(network, pair, figure, above[0], above[1], fmean(new), fmean(reference), found)
