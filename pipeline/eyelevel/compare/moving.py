"""Tests whether stacks differ in contradictions to the motion mask: tiles that move outside it, missing regions.

A mask is fixed before the first run, so takes only check it. A difference between stacks would favour one of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.columns import HOLM, NETWORK, RUN, SITE, STACK, OfPair, tests_of
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.take import Motion
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_stats.arms import compare_shares

# the counted findings by name
FINDINGS: Mapping[str, Callable[[Motion], bool]] = {
    "tiles moved outside the mask": lambda motion: bool(motion.outside),
    "a region never appeared": lambda motion: bool(motion.region_missing),
}


@dataclass(frozen=True)
class MotionTest(OfPair):
    """Takes of a pair with a finding, of those that have a mask."""

    network: str = column(NETWORK)
    finding: str = column("finding that is counted", head="takes in which")
    takes_new: int = column("number of takes of the new stack with the finding", head="new")
    of_new: int = column("number of takes of the new stack with a motion mask", head="of")
    takes_reference: int = column("number of takes of the reference with the finding", head="reference")
    of_reference: int = column("number of takes of the reference with a motion mask", head="of")
    p_value: float | None = column("two-sided p-value of Fisher's exact test", head="p", shown="p")
    p_adjusted: float | None = column(HOLM, head="p, Holm", shown="p", default=None)


@dataclass(frozen=True)
class MotionTake:
    """A take with a finding."""

    load: Load = part()
    stack: ClassVar[str] = derived("load.stack", STACK)
    site: ClassVar[str] = derived("load.site", SITE)
    network: ClassVar[str] = derived("load.network", NETWORK)
    run: ClassVar[int] = derived("load.run", RUN)
    tiles_outside: str = column("tiles that moved outside the mask, each as column:row")
    regions_missing: str = column("numbers of the mask's regions that never appeared")


MOTION = Table("motion", "Motion that the masks do not know, between stacks", "", MotionTest)
MOTION_TAKES = Table(
    "motion-takes", "Takes with motion outside the mask, or without one of its regions", "", MotionTake
)


def motion_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[MotionTest]:
    """Returns a row per network, pair and finding that any of the pair's takes has."""
    return tests_of(loads, pairs, FINDINGS, _row)


def _row(loads: Sequence[Load], network: str, pair: Pair, finding: str) -> MotionTest | None:
    arms = [
        [load.motion for load in loads if load.stack == stack and load.motion] for stack in (pair.new, pair.reference)
    ]
    new, reference = (sum(map(FINDINGS[finding], motions)) for motions in arms)
    if not new + reference:
        return None
    takes = [len(motions) for motions in arms]
    test = compare_shares(new, takes[0], reference, takes[1])
    return MotionTest(pair, network, finding, new, takes[0], reference, takes[1], test.p_value)


def with_findings(loads: Iterable[Load]) -> list[MotionTake]:
    """Returns the takes with a finding, stack by stack."""
    takes = [
        MotionTake(load, " ".join(f"{x}:{y}" for x, y in motion.outside), " ".join(map(str, motion.region_missing)))
        for load in loads
        if (motion := load.motion) and any(has(motion) for has in FINDINGS.values())
    ]
    return sorted(takes, key=lambda row: (row.stack, row.load.path))
