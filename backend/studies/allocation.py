"""How many votes a cell wants, and which cells a session gets. Plain values and a seed in, plain values out."""

import hashlib
import heapq
import math
import random
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A stimulus as the plan sees it.

    `group` is what one participant sees at most once: a clip whatever the context, a pair whatever the order.
    `open` counts the votes it still wants, `taken` those promised or given.
    """

    stimulus: int
    block: int
    group: Hashable
    open: int
    taken: int


def targets(groups: Mapping[int, Hashable], *, sessions: int, count: int) -> dict[int, int]:
    """Votes wanted per stimulus of one block, `sessions` x `count` in all: equal within 1 where it can be done.

    It cannot where a group has more stimuli than others, e.g. a clip in two contexts: no group gets more votes than
    there are sessions, since each sees it once. What it may not take goes to the others. Needs `count` groups at least.
    """
    wanted = dict.fromkeys(groups, 0)
    per_group: dict[Hashable, int] = defaultdict(int)
    queue: list[tuple[int, int, int]] = []
    members: dict[Hashable, int] = defaultdict(int)
    for stimulus in sorted(groups):
        # by rank within the group, so that what does not divide evenly is spread over groups
        heapq.heappush(queue, (0, members[groups[stimulus]], stimulus))
        members[groups[stimulus]] += 1
    for _ in range(sessions * count):
        filled, rank, stimulus = heapq.heappop(queue)
        while per_group[groups[stimulus]] == sessions:
            filled, rank, stimulus = heapq.heappop(queue)
        wanted[stimulus] = filled + 1
        per_group[groups[stimulus]] += 1
        heapq.heappush(queue, (filled + 1, rank, stimulus))
    return wanted


def generator(*, seed: int, fielding: str, claim: int) -> random.Random:
    """The randomness of one plan: the same study, fielding and number of the claim give the same one."""
    digest = hashlib.sha256(f"{seed}/{fielding}/{claim}".encode()).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311 - repeatable, not secret


def plan(cells: Iterable[Cell], counts: Sequence[int], *, rng: random.Random) -> list[int]:
    """Stimuli for one session, block by block, in random order within each block.

    Every block gives its `counts` trials, from the least filled groups, ties drawn by lot; from a group its least
    filled stimulus. Groups that every session to come must see go first. Where too few groups want a vote, the least
    filled ones give a vote too many rather than a shorter session.
    """
    by_block: dict[int, dict[Hashable, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        by_block[cell.block][cell.group].append(cell)
    planned: list[int] = []
    for block, count in enumerate(counts):
        groups = list(by_block[block].values())
        sessions_to_come = math.ceil(sum(cell.open for group in groups for cell in group) / count)
        # lots first, then a stable sort: ties stay in the order of the lots
        rng.shuffle(groups)
        groups.sort(key=lambda group: _urgency(group, sessions_to_come))
        picked = [_pick(group, rng) for group in groups[:count]]
        rng.shuffle(picked)
        planned += picked
    return planned


def _urgency(group: Sequence[Cell], sessions_to_come: int) -> tuple[bool, float, int]:
    open_votes = sum(cell.open for cell in group)
    taken = sum(cell.taken for cell in group)
    return (not 0 < sessions_to_come <= open_votes, _filled(open_votes, taken), taken)


def _pick(group: list[Cell], rng: random.Random) -> int:
    drawn = list(group)
    rng.shuffle(drawn)
    return min(drawn, key=lambda cell: (_filled(cell.open, cell.taken), cell.taken)).stimulus


def _filled(open_votes: int, taken: int) -> float:
    """Share of the wanted votes that are taken; 1 where none is wanted."""
    return taken / (taken + open_votes) if open_votes else 1.0
