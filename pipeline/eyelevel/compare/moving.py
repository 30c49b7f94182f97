"""Tests whether stacks differ in what the motion mask does not know: tiles that move outside it, regions that miss.

A mask is frozen before the first run, so takes only check it. What differs between stacks here would favour one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.take import Motion
from eyelevel_stats.arms import CountTest, compare_shares, holm

# what is counted, and in which words
FINDINGS: Mapping[str, Callable[[Motion], bool]] = {
    "tiles moved outside the mask": lambda motion: bool(motion.outside),
    "a region never appeared": lambda motion: bool(motion.region_missing),
}


@dataclass(frozen=True)
class MotionTest:
    """Takes of a pair with a finding, of those that have a mask; by Fisher's exact test.

    `adjusted_p` is corrected by Holm among all rows.
    """

    network: str
    pair: Pair
    finding: str
    new: int
    new_takes: int
    reference: int
    reference_takes: int
    found: CountTest
    adjusted_p: float | None = None


def motion_tests(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[MotionTest]:
    """A row per network, pair and finding that any of the pair's takes has."""
    networks = dict.fromkeys(load.network for load in loads)
    rows = [
        row
        for pair in pairs
        for network in networks
        for finding in FINDINGS
        if (row := _row(network, pair, finding, loads)) is not None
    ]
    adjusted = holm([row.found.p_value for row in rows])
    return [replace(row, adjusted_p=p) for row, p in zip(rows, adjusted, strict=True)]


def _row(network: str, pair: Pair, finding: str, loads: Sequence[Load]) -> MotionTest | None:
    own = {
        stack: [load.motion for load in loads if (load.network, load.stack) == (network, stack) and load.motion]
        for stack in (pair.new, pair.reference)
    }
    new, reference = (sum(FINDINGS[finding](motion) for motion in own[stack]) for stack in own)
    if not new + reference:
        return None
    takes = [len(own[stack]) for stack in own]
    found = compare_shares(new, takes[0], reference, takes[1])
    return MotionTest(network, pair, finding, new, takes[0], reference, takes[1], found)


def with_findings(loads: Iterable[Load]) -> list[Load]:
    """The takes with a finding, stack by stack."""
    found = [load for load in loads if load.motion and any(has(load.motion) for has in FINDINGS.values())]
    return sorted(found, key=lambda load: (load.stack, load.path))
