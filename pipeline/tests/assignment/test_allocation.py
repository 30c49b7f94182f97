"""Assignments are balanced over clips, orders and sides, and nobody sees a setting twice."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel_core.assignment.allocation import Demand, assignments, generator, identical_counts, leftovers, targets
from eyelevel_core.assignment.cell import Cell

CONTEXTS = ("work", "leisure", "plane")
# golden assignments of two blocks in a first data collection wave
RATED = [[0, 5, 3, 1], [4, 0, 2, 1], [2, 3, 4, 5], [0, 4, 1, 5], [1, 3, 2, 0]]
COMPARED = [[0, 21, 6], [9, 14], [2, 11, 17], [5, 18, 12]]


@dataclass(frozen=True)
class Block:
    """Cells of one block, and the sizes of its assignments."""

    cells: list[Cell]
    sizes: list[int]


def cells_of(members: Sequence[int], *, pairs: bool, contexts: int = 1) -> list[Cell]:
    """Settings with so many clips (pairs: of two orders) each, all in so many contexts."""
    cells: list[Cell] = []
    for setting, clips in enumerate(members):
        stacks = ("QUIC", "TCP+") if setting % 3 else ("QUIC", "TCP")
        for clip in range(clips):
            for context in CONTEXTS[:contexts]:
                for order in (stacks, stacks[::-1]) if pairs else (("QUIC",),):
                    films = (setting, clip, context)
                    cells.append(Cell(len(cells), 0, context, setting, films, order, (setting, clip, order)))
    return cells


@st.composite
def blocks(draw: st.DrawFn, *, alike: bool = False) -> Block:
    most = 1 if alike else 3
    members = draw(st.lists(st.integers(1, most), min_size=2, max_size=9))
    cells = cells_of(members, pairs=draw(st.booleans()), contexts=draw(st.integers(1, 3)))
    size = draw(st.integers(2, len(members)))
    fewer = draw(st.integers(0, 1))
    sizes = draw(st.lists(st.integers(size - fewer, size), min_size=1, max_size=14))
    return Block(cells, sizes)


def dealt(block: Block, seed: int) -> list[list[Cell]]:
    by_stimulus = {cell.stimulus: cell for cell in block.cells}
    random = generator(seed=seed, fielding="f", number=0)
    return [
        [by_stimulus[stimulus] for stimulus in assignment]
        for assignment in assignments(block.cells, block.sizes, rng=random)
    ]


def spread(counts: Counter[int], cells: Sequence[Cell]) -> int:
    each = [counts[cell.stimulus] for cell in cells]
    return max(each) - min(each)


@given(blocks(), st.integers(0, 2**63 - 1))
def test_every_assignment_has_its_size_and_no_setting_twice(block: Block, seed: int) -> None:
    found = dealt(block, seed)
    assert [len(assignment) for assignment in found] == block.sizes
    assert all(len({cell.setting for cell in assignment}) == len(assignment) for assignment in found)


@given(blocks(alike=True), st.integers(0, 2**63 - 1))
def test_all_stimuli_get_the_same_number_of_votes_within_one(block: Block, seed: int) -> None:
    votes = Counter(cell.stimulus for assignment in dealt(block, seed) for cell in assignment)
    assert spread(votes, block.cells) <= 1


@given(blocks(), st.integers(0, 2**63 - 1))
def test_only_a_setting_that_everybody_sees_may_have_fewer_votes_per_stimulus(block: Block, seed: int) -> None:
    found = dealt(block, seed)
    votes = Counter(cell.stimulus for assignment in found for cell in assignment)
    seen = Counter(cell.setting for assignment in found for cell in assignment)
    free = [cell for cell in block.cells if seen[cell.setting] < len(block.sizes)]
    if free:
        assert spread(votes, free) <= 1
        # a setting at its limit never has more votes per stimulus than one that could still take some
        everyone = [votes[cell.stimulus] for cell in block.cells if cell not in free]
        assert max(everyone, default=0) <= min(votes[cell.stimulus] for cell in free) + 1
    for setting in {cell.setting for cell in block.cells}:
        assert spread(votes, [cell for cell in block.cells if cell.setting == setting]) <= 1


@given(blocks(), st.integers(0, 2**63 - 1))
def test_left_and_right_are_balanced_within_each_assignment_and_over_those_with_the_same_films(
    block: Block, seed: int
) -> None:
    if len(block.cells[0].stacks) == 1:
        return
    over: defaultdict[object, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for assignment in dealt(block, seed):
        within: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for cell in assignment:
            within[frozenset(cell.stacks)][cell.stacks[0]] += 1
            over[cell.films][cell.stacks] += 1
        for stacks, lefts in within.items():
            one, other = sorted(stacks)
            assert abs(lefts[one] - lefts[other]) <= 1
        # after any number of assignments, not only at the end
        for orders in over.values():
            [first, *_] = orders
            assert abs(orders[first] - orders[first[::-1]]) <= 1


@given(blocks(alike=True), st.integers(0, 1000))
def test_after_any_number_of_assignments_settings_were_seen_equally_often_within_one(block: Block, seed: int) -> None:
    seen: Counter[object] = Counter({cell.setting: 0 for cell in block.cells})
    for assignment in dealt(block, seed):
        seen.update(cell.setting for cell in assignment)
        assert max(seen.values()) - min(seen.values()) <= 1


def test_an_assignments_trials_are_spread_over_contexts() -> None:
    block = Block(cells_of([1] * 12, pairs=False, contexts=3), [6] * 12)
    per_assignment = [Counter(cell.context for cell in assignment) for assignment in dealt(block, 1)]
    assert max(max(counts.values()) for counts in per_assignment) <= 3


def test_the_same_seed_gives_the_same_assignments_and_another_one_others() -> None:
    block = Block(cells_of([2] * 8, pairs=True), [4] * 20)
    assert dealt(block, 1) == dealt(block, 1)
    assert dealt(block, 1) != dealt(block, 2)


def test_a_clip_in_two_contexts_is_capped_by_the_number_of_sessions() -> None:
    # both contexts of clip a together may not exceed the two sessions
    assert targets({1: "a", 2: "a", 3: "b"}, [2, 2]) == {1: 1, 2: 1, 3: 2}


def fielded(block: Block, times: int) -> list[list[list[Cell]]]:
    """The assignments of so many waves of one group."""
    before: Counter[int] = Counter()
    by_stimulus = {cell.stimulus: cell for cell in block.cells}
    found = []
    for number in range(times):
        rng = generator(seed=7, fielding=f"f{number}", number=0)
        found.append(assignments(block.cells, block.sizes, before=before, rng=rng))
        before.update(stimulus for assignment in found[-1] for stimulus in assignment)
    return [[[by_stimulus[stimulus] for stimulus in assignment] for assignment in wave] for wave in found]


@pytest.mark.parametrize("times", [2, 5])
def test_over_all_fieldings_votes_differ_by_one_and_within_each_as_well(times: int) -> None:
    block = Block(cells_of([1] * 6, pairs=False), [4] * 5)
    over: Counter[int] = Counter()
    for found in fielded(block, times):
        votes = Counter(cell.stimulus for assignment in found for cell in assignment)
        over += votes
        assert [len({cell.setting for cell in assignment}) for assignment in found] == block.sizes
        assert spread(votes, block.cells) <= 1
        assert spread(over, block.cells) <= 1


@given(blocks(alike=True), st.integers(2, 6))
def test_over_any_number_of_fieldings_films_have_the_same_number_of_votes_within_one(block: Block, times: int) -> None:
    over = Counter({cell.films: 0 for cell in block.cells})
    for found in fielded(block, times):
        over.update(cell.films for assignment in found for cell in assignment)
        assert max(over.values()) - min(over.values()) <= 1


def test_the_order_of_a_pair_that_was_shown_oftener_is_shown_less_often_next_time() -> None:
    # one pair, and an odd number of votes on it each time
    block = Block(cells_of([1], pairs=True), [1] * 3)
    over: Counter[int] = Counter()
    for number, found in enumerate(fielded(block, 8), start=1):
        over.update(cell.stimulus for assignment in found for cell in assignment)
        assert spread(over, block.cells) == number % 2


def test_the_assignments_of_a_first_wave_are_the_golden_ones() -> None:
    rated = Block(cells_of([1] * 6, pairs=False), [4] * 5)
    compared = Block(cells_of([1, 2, 1, 2], pairs=True, contexts=2), [3, 2, 3, 3])
    for block, golden in ((rated, RATED), (compared, COMPARED)):
        assert [[cell.stimulus for cell in assignment] for assignment in dealt(block, 7)] == golden


@given(st.integers(0, 100), st.integers(1, 40), st.integers(1, 60), st.integers(0, 99))
def test_the_share_of_identical_pairs_is_exact_over_a_quota_within_one(
    percent: int, count: int, sessions: int, seed: int
) -> None:
    random = generator(seed=seed, fielding="f", number=0)
    found = identical_counts(percent / 100, count=count, sessions=sessions, rng=random)
    exact = Fraction(percent, 100) * count
    assert all(abs(number - exact) < 1 for number in found)
    assert abs(sum(found) - exact * sessions) < 1


def test_the_expected_share_is_that_of_the_study() -> None:
    # 0.15 x 4 is 0.6: one session has 0 or 1, and 1 in six cases of ten
    lots = [
        identical_counts(0.15, count=4, sessions=1, rng=generator(seed=seed, fielding="f", number=1))[0]
        for seed in range(4000)
    ]
    assert set(lots) == {0, 1}
    # three standard errors
    assert abs(sum(lots) / 4000 - 0.6) < 0.024


def test_a_session_stays_whole_where_too_few_slots_are_left() -> None:
    cells = cells_of([1, 1, 1], pairs=False)
    demands = {0: Demand(0, 5), 1: Demand(1, 4), 2: Demand(0, 6)}
    planned = leftovers(cells, demands, 2, rng=generator(seed=1, fielding="f", number=1))
    # the one that is open, then the least filled
    assert sorted(planned) == [0, 1]


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_one_by_one_keeps_left_and_right_balanced(seed: int) -> None:
    cells = [cell for cell in cells_of([1] * 9, pairs=True) if cell.stacks in {("QUIC", "TCP+"), ("TCP+", "QUIC")}]
    # only one order is wanted of all
    demands = {cell.stimulus: Demand(cell.stacks[0] == "QUIC", 3) for cell in cells}
    planned = leftovers(cells, demands, 4, rng=generator(seed=seed, fielding="f", number=1))
    lefts = Counter(cell.stacks[0] for cell in cells if cell.stimulus in planned)
    assert lefts == {"QUIC": 2, "TCP+": 2}
