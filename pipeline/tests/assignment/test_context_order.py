"""Contexts come in every order as often as in any other."""

import random
from collections import Counter
from math import factorial

import pytest

from eyelevel_core.assignment.context_order import context_order, counterbalanced

CONTEXTS = ["work", "leisure", "plane", "train"]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_after_any_number_of_sessions_orders_differ_by_one_at_most(count: int) -> None:
    came: Counter[tuple[str, ...]] = Counter()
    for number in range(2 * factorial(count) + 3):
        came[tuple(counterbalanced(CONTEXTS[:count], number))] += 1
        assert max(came.values()) - (min(came.values()) if len(came) == factorial(count) else 0) <= 1
    assert len(came) == factorial(count)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_each_context_has_each_place_equally_often_within_one_after_any_number(count: int) -> None:
    places: Counter[tuple[str, int]] = Counter()
    for number in range(3 * factorial(count)):
        places.update((context, place) for place, context in enumerate(counterbalanced(CONTEXTS[:count], number)))
        each = [places[context, place] for context in CONTEXTS[:count] for place in range(count)]
        assert max(each) - min(each) <= 1


def test_the_turn_decides_and_nothing_else() -> None:
    ways = [context_order(CONTEXTS, "counterbalanced", turn=5, rng=random.Random(seed)) for seed in range(3)]
    assert ways == [counterbalanced(CONTEXTS, 4)] * 3


def test_fixed_is_the_files_order_and_random_any() -> None:
    assert context_order(CONTEXTS, "fixed", turn=7, rng=random.Random(1)) == CONTEXTS
    ways = {tuple(context_order(CONTEXTS, "random", turn=1, rng=random.Random(seed))) for seed in range(300)}
    assert len(ways) == factorial(4)
