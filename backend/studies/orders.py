"""The order in which a participant meets the contexts."""

import math
import random
from collections.abc import Sequence


def order_of(contexts: Sequence[str], how: str, *, turn: int, rng: random.Random) -> list[str]:
    """`how` is the study's `order.contexts`: fixed, random or counterbalanced; `turn` counts seats from 1."""
    if how == "fixed":
        return list(contexts)
    if how == "random":
        return rng.sample(contexts, len(contexts))
    return counterbalanced(contexts, turn - 1)


def counterbalanced(contexts: Sequence[str], number: int) -> list[str]:
    """The order with this number, from 0: after any number of them each order came as often as the others, within 1.

    Every n in a row (n contexts, from a multiple of n on) are the rotations of one order: each context comes once in
    each place, long before all n! orders have had their turn.
    """
    count = len(contexts)
    ring, turn = divmod(number, count)
    first, *others = contexts
    # of all rings each once: what stands after the first one, by its number in the factorial system
    ring %= math.factorial(count - 1)
    order = [first]
    for place in range(count - 1, 0, -1):
        which, ring = divmod(ring, math.factorial(place - 1))
        order.append(others.pop(which))
    return order[turn:] + order[:turn]
