"""Tests whether stacks differ in what their films lack: changes lost, frames that may be torn, pictures fetched late.

A film in which one stack's changes are lost or late shifts that stack's visual metrics. None of it voids a run, as a
stack that keeps the processors busy would keep its lucky runs only.
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

# what is tested, and in which words
FIGURES: Mapping[str, Callable[[Load], float | None]] = {
    "changes lost": lambda load: load.lost_changes,
    "frames that may be torn": lambda load: load.unquiet_frames,
    "latest fetch, ms": lambda load: load.late_ms,
}


@dataclass(frozen=True)
class FilmTest(OfPair):
    """One figure of one pair on one network: means over the takes, and a rank test within sites."""

    network: str = column(NETWORK)
    figure: str = column("what each take's film is compared by", head="of a film")
    takes_new: int = column("the new stack's takes where it is above 0", head="above 0, new")
    of_new: ClassVar[int] = derived("found.n_new", "the new stack's takes where it is known", head="of")
    takes_reference: int = column("the reference's takes where it is above 0", head="above 0, reference")
    of_reference: ClassVar[int] = derived("found.n_reference", "the reference's takes where it is known", head="of")
    mean_new: float = column("mean of the new stack's takes", head="mean, new")
    mean_reference: float = column("mean of the reference's takes", head="mean, reference")
    superiority: ClassVar[float] = derived(
        "found.superiority",
        "chance that it is higher in a take of the new stack than in one of the reference, ties half; mean over sites; "
        "0.5: no difference",
        head="higher in new",
        shown="share",
    )
    found: RankTest = part()
    p_value: ClassVar[float | None] = derived(
        "found.p_value", "two-sided p of van Elteren's rank test within sites", head="p", shown="p"
    )
    p_adjusted: float | None = column(HOLM, head="p, Holm", shown="p", default=None)


FILMS = Table("films", "Changes that films lost or recorded late, between stacks", "", FilmTest)


def film_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[FilmTest]:
    """A row per network, pair and figure that takes of both stacks know, and that is above 0 in any of them."""
    return tests_of(loads, pairs, FIGURES, _row)


def _row(loads: Sequence[Load], network: str, pair: Pair, figure: str) -> FilmTest | None:
    strata = by_scene(loads, pair, FIGURES[figure])
    found = compare_ranks(strata)
    new, reference = ([value for stratum in strata for value in stratum[arm]] for arm in (0, 1))
    if found is None or not any(new + reference):
        return None
    above = [sum(value > 0 for value in own) for own in (new, reference)]
    return FilmTest(pair, network, figure, above[0], above[1], fmean(new), fmean(reference), found)
