"""The order in which a session asks about the contexts: fixed, random or counterbalanced."""

import math
import random
from collections.abc import Sequence


def context_order(contexts: Sequence[str], how: str, *, turn: int, rng: random.Random) -> list[str]:
    """Returns the contexts in the order of one session.

    `how` is the study's `order.contexts`: fixed, random or counterbalanced. `turn` is the assignment's number, from 1.
    """
    if how == "fixed":
        return list(contexts)
    if how == "random":
        return rng.sample(contexts, len(contexts))
    return counterbalanced(contexts, turn - 1)


def counterbalanced(contexts: Sequence[str], number: int) -> list[str]:
    """Returns the order with this number, from 0; after any number of sessions, orders are used equally often within 1.

    Every n consecutive orders (n contexts, starting at a multiple of n) are the rotations of one order: each context
    is in each place once, long before all n! orders have been used.
    """
    count = len(contexts)
    ring, turn = divmod(number, count)
    first, *remaining = contexts
    # each cyclic order once: what follows the first context, by its number in the factorial number system
    ring %= math.factorial(count - 1)
    order = [first]
    for place in range(count - 1, 0, -1):
        which, ring = divmod(ring, math.factorial(place - 1))
        order.append(remaining.pop(which))
    return order[turn:] + order[:turn]
