"""Allocates the votes of a quota to sessions in advance, balanced over stimuli. Pure: values and a seed in, values out.

An assignment contains the stimuli that one session votes on in one block. A returned assignment goes to another session
as a whole, so votes are balanced once every assignment is filled. docs/explanation/allocation.md explains the method.
"""

import hashlib
import heapq
import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from eyelevel_core.assignment.cell import Cell, main_cells
from eyelevel_core.assignment.sides import turned
from eyelevel_core.study.design import Design


@dataclass
class Demand:
    """Votes that are still needed, and votes that are promised or given."""

    open: int = 0
    taken: int = 0

    @property
    def filled(self) -> float:
        """Share of the needed votes that are promised or given; 1 if none is needed."""
        return self.taken / (self.taken + self.open) if self.open else 1.0

    def take(self) -> None:
        self.open = max(0, self.open - 1)
        self.taken += 1


K = TypeVar("K", bound=Hashable)


def generator(*, seed: int, fielding: str, number: int) -> random.Random:
    """The random generator of one session's plan by its session number; number 0 is that of the assignments."""
    digest = hashlib.sha256(f"{seed}/{fielding}/{number}".encode()).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311 - repeatable, not secret


def identical_counts(share: float, *, count: int, sessions: int, rng: random.Random) -> list[int]:
    """How many of a block's `count` trials show an identical pair, per session: rounded at random with an exact mean.

    Over all sessions the sum is off by less than 1 (systematic sampling with one random start).
    """
    each = Fraction(str(share)) * count
    start = Fraction(rng.randrange(10**6), 10**6)
    marks = [start + number * each for number in range(sessions + 1)]
    counts = [int(after) - int(before) for before, after in itertools.pairwise(marks)]
    rng.shuffle(counts)
    return counts


def targets(
    settings: Mapping[Hashable, Hashable], sizes: Sequence[int], *, before: Mapping[Hashable, int] | None = None
) -> dict[Hashable, int]:
    """Returns the votes needed per member of one block, from sessions of these `sizes`: equal within 1 where possible.

    `settings` has the setting of each member, `before` the votes allocated to members earlier: votes are equal
    including these, so that remainders go to other members each time. Equality is impossible where a setting has more
    members than others, e.g. is shown in two contexts: a setting gets at most one vote per session, and its surplus
    goes to the others. Needs at least as many settings as the largest size.
    """
    before = before or {}
    wanted = dict.fromkeys(settings, 0)
    per_setting: Counter[Hashable] = Counter()
    members: Counter[Hashable] = Counter()
    queue: list[tuple[int, int, int, Hashable]] = []
    for number, (member, setting) in enumerate(settings.items()):
        # by rank within the setting, so that remainders are spread over settings
        heapq.heappush(queue, (before.get(member, 0), members[setting], number, member))
        members[setting] += 1
    for _ in range(sum(sizes)):
        filled, rank, number, member = heapq.heappop(queue)
        while per_setting[settings[member]] == len(sizes):
            filled, rank, number, member = heapq.heappop(queue)
        wanted[member] += 1
        per_setting[settings[member]] += 1
        heapq.heappush(queue, (filled + 1, rank, number, member))
    return wanted


def allocate(
    design: Design,
    cells: Sequence[Cell],
    *,
    sessions: int,
    before: Mapping[int, int] | None = None,
    rng: random.Random,
) -> list[list[list[int]]]:
    """The assignments of a quota of `sessions`: per block, per session, the stimuli it votes on."""
    allocated = []
    for number, block in enumerate(design.blocks):
        identical = identical_counts(block.identical, count=block.count, sessions=sessions, rng=rng)
        sizes = [block.count - few for few in identical]
        allocated.append(assignments(main_cells(cells, number), sizes, before=before, rng=rng))
    return allocated


def assignments(
    cells: Sequence[Cell], sizes: Sequence[int], *, before: Mapping[int, int] | None = None, rng: random.Random
) -> list[list[int]]:
    """The stimuli of every assignment of one block; `sizes` are their lengths, which differ by 1 at most.

    `before` has the votes per stimulus that were allocated to the same group in earlier data collection waves: votes
    are equal including these.

    No assignment has a setting twice. Votes per stimulus are equal within 1 (but see `targets`), and nearly so after
    any number of assignments. Left and right of two stacks differ by 1 at most within an assignment, and so do the two
    orders of a pair.
    """
    orders: dict[Hashable, list[Cell]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: cell.stacks):
        orders[cell.films].append(cell)
    films = {cell.films: cell for cell in cells}
    before = before or {}
    had = {key: sum(before.get(cell.stimulus, 0) for cell in ordered) for key, ordered in orders.items()}
    wanted = targets({key: cell.setting for key, cell in films.items()}, sizes, before=had)
    by_setting: dict[Hashable, dict[Hashable, Demand]] = defaultdict(dict)
    for key, cell in films.items():
        by_setting[cell.setting][key] = Demand(open=wanted[key])
    dealt: list[list[Hashable]] = []
    for number, size in enumerate(sizes):
        assignment: list[Hashable] = []
        contexts: Counter[str] = Counter()
        for setting in _most_urgent(by_setting, sessions_to_come=len(sizes) - number, rng=rng)[:size]:
            spread = {key: contexts[films[key].context] for key in by_setting[setting]}
            key = _draw(by_setting[setting], spread, rng)
            by_setting[setting][key].take()
            contexts[films[key].context] += 1
            assignment.append(key)
        rng.shuffle(assignment)
        dealt.append(assignment)
    return _with_sides(dealt, orders, before, rng)


def leftovers(cells: Iterable[Cell], demands: Mapping[int, Demand], size: int, *, rng: random.Random) -> list[int]:
    """The stimuli of one session in one block where no whole assignment is free.

    Takes the settings that lack most votes, and of a setting the least filled stimulus that keeps left and right
    balanced. If too few stimuli want a vote, the least filled ones get one more than wanted, so that the session's
    block keeps its length.
    """
    by_stimulus = {cell.stimulus: cell for cell in cells}
    by_setting: dict[Hashable, dict[int, Demand]] = defaultdict(dict)
    for stimulus, cell in by_stimulus.items():
        by_setting[cell.setting][stimulus] = demands[stimulus]
    sessions_to_come = math.ceil(sum(demands[stimulus].open for stimulus in by_stimulus) / max(1, size))
    left: Counter[tuple[str, ...]] = Counter()
    picked: list[int] = []
    for setting in _most_urgent(by_setting, sessions_to_come=sessions_to_come, rng=rng)[:size]:
        # how many times more a pair's left stack has been on the left already
        surplus = {key: _surplus(by_stimulus[key].stacks, left) for key in by_setting[setting]}
        least = min(max(0, more) for more in surplus.values())
        balanced = {key: demand for key, demand in by_setting[setting].items() if max(0, surplus[key]) == least}
        stimulus = _draw(balanced, surplus, rng)
        left[by_stimulus[stimulus].stacks] += 1
        picked.append(stimulus)
    rng.shuffle(picked)
    return picked


def _surplus(stacks: tuple[str, ...], left: Counter[tuple[str, ...]]) -> int:
    return left[stacks] - left[stacks[::-1]] if len(stacks) > 1 else 0


def _most_urgent(
    by_setting: Mapping[Hashable, Mapping[K, Demand]], *, sessions_to_come: int, rng: random.Random
) -> list[Hashable]:
    """Settings that every remaining session must see, then the least filled ones, ties at random.

    This order never reaches a dead end: the remaining votes can always be allocated to the remaining assignments.
    """
    settings = list(by_setting)
    # shuffled, then sorted stably: ties are in random order
    rng.shuffle(settings)

    def urgency(setting: Hashable) -> tuple[bool, float, int]:
        demands = by_setting[setting].values()
        whole = Demand(sum(demand.open for demand in demands), sum(demand.taken for demand in demands))
        return (not 0 < sessions_to_come <= whole.open, whole.filled, whole.taken)

    return sorted(settings, key=urgency)


def _draw(demands: Mapping[K, Demand], ties: Mapping[K, int], rng: random.Random) -> K:
    """The least filled one; among equals the lowest by `ties`, then at random."""
    lots = list(demands)
    rng.shuffle(lots)
    return min(lots, key=lambda key: (demands[key].filled, demands[key].taken, ties[key]))


def _with_sides(
    dealt: Sequence[Sequence[Hashable]],
    orders: Mapping[Hashable, Sequence[Cell]],
    before: Mapping[int, int],
    rng: random.Random,
) -> list[list[int]]:
    """Replace films by stimuli: for a pair, one of its two orders."""
    ahead = {
        films: before.get(sides[1].stimulus, 0) - before.get(sides[0].stimulus, 0)
        for films, sides in orders.items()
        if len(sides) > 1
    }
    pairs = [
        ((number, frozenset(orders[films][0].stacks)), films)
        for number, assignment in enumerate(dealt)
        for films in assignment
        if len(orders[films]) > 1
    ]
    ways = dict(zip(pairs, turned(pairs, ahead=ahead, rng=rng), strict=True))
    return [
        [
            orders[films][ways.get(((number, frozenset(orders[films][0].stacks)), films), False)].stimulus
            for films in assignment
        ]
        for number, assignment in enumerate(dealt)
    ]
