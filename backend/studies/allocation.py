"""Which stimuli a session is to vote on. Plain values and a seed in, plain values out.

The votes that a quota of sessions gives are dealt out in advance, as seats: what one session votes on in one block.
A seat that is given up goes to another session as a whole, so balance needs nothing but that every seat is filled
in the end. docs/allocation.md has the whole story.
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

from studies.sides import turned


@dataclass(frozen=True)
class Cell:
    """A stimulus as plans see it.

    `setting` is what one participant sees at most once. `films` is common to the two orders of a pair in a context;
    `stacks` are left, then right for a pair. `role` is that of the stimulus: main, identical or control.
    """

    stimulus: int
    block: int
    context: str
    setting: Hashable
    films: Hashable
    stacks: tuple[str, ...]
    clip: Hashable
    role: str = "main"


@dataclass
class Standing:
    """Votes that something still wants, and those promised or given."""

    open: int = 0
    taken: int = 0

    @property
    def filled(self) -> float:
        """Share of the wanted votes that are taken; 1 where none is wanted."""
        return self.taken / (self.taken + self.open) if self.open else 1.0

    def take(self) -> None:
        self.open = max(0, self.open - 1)
        self.taken += 1


K = TypeVar("K", bound=Hashable)


def generator(*, seed: int, fielding: str, claim: int) -> random.Random:
    """The randomness of one plan; claim 0 is that of the seats."""
    digest = hashlib.sha256(f"{seed}/{fielding}/{claim}".encode()).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311 - repeatable, not secret


def identical_counts(share: float, *, count: int, sessions: int, rng: random.Random) -> list[int]:
    """How many of a block's `count` trials show an identical pair, per session: rounded by lot, the mean being exact.

    Over all sessions the sum is off by less than 1: one lot decides them all (systematic sampling).
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
    """Votes wanted per member of one block, of sessions of these `sizes`: equal within 1 where it can be done.

    `settings` has the setting of each member, `before` the votes that were dealt to members already: with these they
    are to be equal, so that what does not divide evenly goes to others each time. It cannot be done where a setting has
    more members than others, e.g. is asked about in two contexts: no setting gets more votes than there are sessions,
    since each sees it once. What it may not take goes to the others. Needs as many settings as the largest size.
    """
    before = before or {}
    wanted = dict.fromkeys(settings, 0)
    per_setting: Counter[Hashable] = Counter()
    members: Counter[Hashable] = Counter()
    queue: list[tuple[int, int, int, Hashable]] = []
    for number, (member, setting) in enumerate(settings.items()):
        # by rank within the setting, so that what does not divide evenly is spread over settings
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


def seats(
    cells: Sequence[Cell], sizes: Sequence[int], *, before: Mapping[int, int] | None = None, rng: random.Random
) -> list[list[int]]:
    """The stimuli of every seat of one block; a seat's size is that of `sizes`, which differ by 1 at most.

    `before` has the votes per stimulus that were dealt to the same group in earlier fieldings: with them votes are
    equal, while the seats of a first fielding are dealt from zero.

    No seat has a setting twice. Votes per stimulus are equal within 1 (but see `targets`), and nearly so after any
    number of seats. Left and right of two stacks differ by 1 at most within a seat, and so do the two orders of a pair.
    """
    orders: dict[Hashable, list[Cell]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: cell.stacks):
        orders[cell.films].append(cell)
    films = {cell.films: cell for cell in cells}
    before = before or {}
    had = {key: sum(before.get(cell.stimulus, 0) for cell in own) for key, own in orders.items()}
    wanted = targets({key: cell.setting for key, cell in films.items()}, sizes, before=had)
    by_setting: dict[Hashable, dict[Hashable, Standing]] = defaultdict(dict)
    for key, cell in films.items():
        by_setting[cell.setting][key] = Standing(open=wanted[key])
    dealt: list[list[Hashable]] = []
    for number, size in enumerate(sizes):
        seat: list[Hashable] = []
        contexts: Counter[str] = Counter()
        for setting in _most_urgent(by_setting, sessions_to_come=len(sizes) - number, rng=rng)[:size]:
            spread = {key: contexts[films[key].context] for key in by_setting[setting]}
            key = _draw(by_setting[setting], spread, rng)
            by_setting[setting][key].take()
            contexts[films[key].context] += 1
            seat.append(key)
        rng.shuffle(seat)
        dealt.append(seat)
    return _with_sides(dealt, orders, before, rng)


def leftovers(cells: Iterable[Cell], standings: Mapping[int, Standing], size: int, *, rng: random.Random) -> list[int]:
    """The stimuli of one session of one block where no seat is free as a whole.

    From the settings that lack most; from a setting its least filled stimulus that keeps left and right balanced. Where
    too few want a vote, the least filled ones get a vote too many rather than the session a shorter block.
    """
    by_stimulus = {cell.stimulus: cell for cell in cells}
    by_setting: dict[Hashable, dict[int, Standing]] = defaultdict(dict)
    for stimulus, cell in by_stimulus.items():
        by_setting[cell.setting][stimulus] = standings[stimulus]
    sessions_to_come = math.ceil(sum(standings[stimulus].open for stimulus in by_stimulus) / max(1, size))
    left: Counter[tuple[str, ...]] = Counter()
    picked: list[int] = []
    for setting in _most_urgent(by_setting, sessions_to_come=sessions_to_come, rng=rng)[:size]:
        # of a pair how much oftener its left stack stood left already
        surplus = {key: _surplus(by_stimulus[key].stacks, left) for key in by_setting[setting]}
        least = min(max(0, more) for more in surplus.values())
        balanced = {key: standing for key, standing in by_setting[setting].items() if max(0, surplus[key]) == least}
        stimulus = _draw(balanced, surplus, rng)
        left[by_stimulus[stimulus].stacks] += 1
        picked.append(stimulus)
    rng.shuffle(picked)
    return picked


def _surplus(stacks: tuple[str, ...], left: Counter[tuple[str, ...]]) -> int:
    return left[stacks] - left[stacks[::-1]] if len(stacks) > 1 else 0


def _most_urgent(
    by_setting: Mapping[Hashable, Mapping[K, Standing]], *, sessions_to_come: int, rng: random.Random
) -> list[Hashable]:
    """Settings that every session to come must see, then the least filled ones, ties by lot.

    Taking them in this order never ends in a dead end: what is left can always be dealt to the seats that are left.
    """
    settings = list(by_setting)
    # lots first, then a stable sort: ties stay in the order of the lots
    rng.shuffle(settings)

    def urgency(setting: Hashable) -> tuple[bool, float, int]:
        standings = by_setting[setting].values()
        whole = Standing(sum(one.open for one in standings), sum(one.taken for one in standings))
        return (not 0 < sessions_to_come <= whole.open, whole.filled, whole.taken)

    return sorted(settings, key=urgency)


def _draw(standings: Mapping[K, Standing], ties: Mapping[K, int], rng: random.Random) -> K:
    """The least filled one; among equals the lowest by `ties`, then by lot."""
    lots = list(standings)
    rng.shuffle(lots)
    return min(lots, key=lambda key: (standings[key].filled, standings[key].taken, ties[key]))


def _with_sides(
    dealt: Sequence[Sequence[Hashable]],
    orders: Mapping[Hashable, Sequence[Cell]],
    before: Mapping[int, int],
    rng: random.Random,
) -> list[list[int]]:
    """Turn films into stimuli: of a pair one of its two orders."""
    ahead = {
        films: before.get(own[1].stimulus, 0) - before.get(own[0].stimulus, 0)
        for films, own in orders.items()
        if len(own) > 1
    }
    pairs = [
        ((number, frozenset(orders[films][0].stacks)), films)
        for number, seat in enumerate(dealt)
        for films in seat
        if len(orders[films]) > 1
    ]
    ways = dict(zip(pairs, turned(pairs, ahead=ahead, rng=rng), strict=True))
    return [
        [
            orders[films][ways.get(((number, frozenset(orders[films][0].stacks)), films), False)].stimulus
            for films in seat
        ]
        for number, seat in enumerate(dealt)
    ]
