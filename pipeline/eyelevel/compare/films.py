"""Tests whether stacks differ in the defects of their films: lost changes, torn frames, and pictures fetched late.

Lost or late changes shift the visual metrics of a stack. They never void a run, because a stack that keeps the
processors busy would then keep only its lucky runs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from eyelevel.compare.columns import HOLM, NETWORK, OfPair, tests_of
from eyelevel.compare.model import Load, Pair
from eyelevel.compare.quality import by_scene
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_stats.arms import RankTest, compare_ranks

# the tested figures by name
FIGURES: Mapping[str, Callable[[Load], float | None]] = {
    "changes lost": lambda load: load.lost_changes,
    "frames that may be torn": lambda load: load.unquiet_frames,
    "latest fetch, ms": lambda load: load.late_ms,
}


@dataclass(frozen=True)
class FilmTest(OfPair):
    """One figure of one pair on one network: means over the takes, and a rank test within sites."""

    network: str = column(NETWORK)
    figure: str = column("defect of the films that is compared", head="of a film")
    takes_new: int = column("number of takes of the new stack with a value above 0", head="above 0, new")
    of_new: ClassVar[int] = derived("estimate.n_new", "number of takes of the new stack with a known value", head="of")
    takes_reference: int = column("number of takes of the reference with a value above 0", head="above 0, reference")
    of_reference: ClassVar[int] = derived(
        "estimate.n_reference", "number of takes of the reference with a known value", head="of"
    )
    mean_new: float = column("mean over the takes of the new stack", head="mean, new")
    mean_reference: float = column("mean over the takes of the reference", head="mean, reference")
    superiority: ClassVar[float] = derived(
        "estimate.superiority",
        "probability that the value is higher in a take of the new stack than in a take of the reference, with "
        "ties counted as half; mean over sites; 0.5: no difference",
        head="higher in new",
        shown="share",
    )
    estimate: RankTest = part()
    p_value: ClassVar[float | None] = derived(
        "estimate.p_value", "two-sided p-value of van Elteren's rank test within sites", head="p", shown="p"
    )
    p_adjusted: float | None = column(HOLM, head="p, Holm", shown="p", default=None)


FILMS = Table("films", "Changes that films lost or recorded late, between stacks", "", FilmTest)


def film_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[FilmTest]:
    """Returns a row per network, pair and figure that is known for both stacks and above 0 in any take."""
    return tests_of(loads, pairs, FIGURES, _row)


def _row(loads: Sequence[Load], network: str, pair: Pair, figure: str) -> FilmTest | None:
    strata = by_scene(loads, pair, FIGURES[figure])
    test = compare_ranks(strata)
    new, reference = ([value for stratum in strata for value in stratum[arm]] for arm in (0, 1))
    if test is None or not any(new + reference):
        return None
    above = [sum(value > 0 for value in values) for values in (new, reference)]
    return FilmTest(pair, network, figure, above[0], above[1], fmean(new), fmean(reference), test)
