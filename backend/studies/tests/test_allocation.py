"""Slots are equal, plans are balanced, and nobody sees a clip twice."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.allocation import Cell, generator, plan, targets

# (stimulus, group) of one block: groups of one to three stimuli, as contexts and orders make them
groups_of_a_block = st.lists(st.integers(1, 3), min_size=1, max_size=12).map(
    lambda sizes: dict(enumerate(g for g, size in enumerate(sizes) for _ in range(size)))
)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[dict[int, int], int, int]:
    groups = draw(groups_of_a_block)
    count = draw(st.integers(1, len(set(groups.values()))))
    return groups, count, draw(st.integers(1, 12))


@given(blocks())
def test_slots_add_up_and_are_equal_unless_a_group_is_seen_by_everyone(block: tuple[dict[int, int], int, int]) -> None:
    groups, count, sessions = block
    wanted = targets(groups, sessions=sessions, count=count)
    assert sum(wanted.values()) == sessions * count
    per_group: Counter[int] = Counter()
    for stimulus, votes in wanted.items():
        per_group[groups[stimulus]] += votes
    assert max(per_group.values()) <= sessions
    free = [votes for stimulus, votes in wanted.items() if per_group[groups[stimulus]] < sessions]
    assert not free or max(free) - min(free) <= 1
    # a group at its limit never holds more per stimulus than those that still have room
    assert (
        not free
        or min(free)
        >= max((votes for stimulus, votes in wanted.items() if per_group[groups[stimulus]] == sessions), default=0) - 1
    )


def test_equal_groups_get_equal_slots() -> None:
    assert targets({1: "a", 2: "b", 3: "c", 4: "d"}, sessions=6, count=2) == {1: 3, 2: 3, 3: 3, 4: 3}


def test_a_clip_in_two_contexts_is_capped_by_the_number_of_sessions() -> None:
    # both contexts of clip a together may not exceed the two sessions
    assert targets({1: "a", 2: "a", 3: "b"}, sessions=2, count=2) == {1: 1, 2: 1, 3: 2}


def run_field(groups: dict[int, int], count: int, sessions: int, seed: int) -> list[list[int]]:
    """Every session of a quota, one after the other, none given up."""
    left = targets(groups, sessions=sessions, count=count)
    taken: Counter[int] = Counter()
    plans = []
    for claim in range(1, sessions + 1):
        cells = [Cell(number, 0, group, left[number], taken[number]) for number, group in groups.items()]
        planned = plan(cells, [count], rng=generator(seed=seed, fielding="f", claim=claim))
        for stimulus in planned:
            left[stimulus] -= 1
            taken[stimulus] += 1
        plans.append(planned)
    assert set(left.values()) == {0}
    return plans


@given(blocks(), st.integers(0, 2**63 - 1))
def test_a_whole_field_fills_every_slot_exactly_and_repeats_no_group(
    block: tuple[dict[int, int], int, int], seed: int
) -> None:
    groups, count, sessions = block
    for planned in run_field(groups, count, sessions, seed):
        assert len(planned) == count
        assert len({groups[stimulus] for stimulus in planned}) == count


@given(st.data(), st.integers(1, 10), st.integers(1, 2), st.integers(1, 12), st.integers(0, 1000))
def test_at_any_moment_cells_differ_by_one_vote_at_most(
    data: st.DataObject, group_count: int, size: int, sessions: int, seed: int
) -> None:
    groups = {number: number // size for number in range(group_count * size)}
    count = data.draw(st.integers(1, group_count))
    given_so_far: Counter[int] = Counter(dict.fromkeys(groups, 0))
    for planned in run_field(groups, count, sessions, seed):
        given_so_far.update(planned)
        assert max(given_so_far.values()) - min(given_so_far.values()) <= 1


def three_blocks() -> tuple[list[Cell], Sequence[int]]:
    cells = [Cell(stimulus=n, block=n // 10, group=n, open=1, taken=0) for n in range(30)]
    return cells, [4, 3, 2]


def test_the_same_claim_gives_the_same_plan_and_the_next_one_another() -> None:
    cells, counts = three_blocks()
    first, again, other = (plan(cells, counts, rng=generator(seed=7, fielding="f", claim=c)) for c in (1, 1, 2))
    assert first == again
    assert first != other


def test_blocks_keep_their_order_and_mix_within() -> None:
    cells, counts = three_blocks()
    plans = [plan(cells, counts, rng=generator(seed=7, fielding="f", claim=claim)) for claim in range(50)]
    assert {tuple(stimulus // 10 for stimulus in planned) for planned in plans} == {(0, 0, 0, 0, 1, 1, 1, 2, 2)}
    assert len({planned[0] for planned in plans}) == 10


def test_a_session_stays_whole_when_too_few_slots_are_left() -> None:
    cells = [Cell(1, 0, "a", 0, 5), Cell(2, 0, "b", 1, 4), Cell(3, 0, "c", 0, 6)]
    planned = plan(cells, [2], rng=generator(seed=1, fielding="f", claim=1))
    # the one that is open, then the least filled
    assert sorted(planned) == [1, 2]


@pytest.mark.parametrize("claim", range(20))
def test_a_pair_is_seen_in_one_order_only(claim: int) -> None:
    cells = [Cell(1, 0, "pair", 3, 0), Cell(2, 0, "pair", 3, 0)]
    assert len(plan(cells, [1], rng=generator(seed=1, fielding="f", claim=claim))) == 1
