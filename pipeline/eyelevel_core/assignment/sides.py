"""Balances which stack of a pair is on the left: within each session, and over sessions that see the same pair."""

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence


def turned(
    shown: Sequence[tuple[Hashable, Hashable]], *, ahead: Mapping[Hashable, int] | None = None, rng: random.Random
) -> list[bool]:
    """Returns whether each showing is turned (second stack on the left); `shown` has its (session, films) in order.

    Turned and unturned showings differ by 1 at most within a session, and over the showings of the same films: at the
    end, and after any number of sessions.

    Showings of one session are paired, and so are consecutive showings of the same films; of two paired showings
    exactly one is turned. This is always possible: a showing has at most one partner in its session and one among its
    films, so the pairs form paths and cycles. A cycle alternates between both kinds of pairing, so its length is even.
    (It is an equitable 2-edge-colouring of a bipartite graph; D. de Werra, 1971.)

    The direction of a path is random, unless one direction compensates for films that were `ahead` in earlier data
    collection waves: shown turned so many times more than unturned.
    """
    partners = [_pairs(session for session, _ in shown), _pairs(films for _, films in shown)]
    done: list[bool | None] = [None] * len(shown)
    for start in range(len(shown)):
        if done[start] is not None:
            continue
        done[start] = rng.random() < 0.5
        path = [start]
        # in one direction along the path, then in the other; a cycle returns to its start
        for first in (0, 1):
            here, side = start, first
            while (there := partners[side].get(here)) is not None and done[there] is None:
                done[there] = not done[here]
                path.append(there)
                here, side = there, 1 - side
        if sum((ahead or {}).get(shown[place][1], 0) * (1 if done[place] else -1) for place in path) > 0:
            for place in path:
                done[place] = not done[place]
    return [bool(way) for way in done]


def _pairs(keys: Iterable[Hashable]) -> dict[int, int]:
    """The partner of each place: of those with one key, the first and second are partners, the third and fourth, ..."""
    alone: dict[Hashable, int] = {}
    partner: dict[int, int] = {}
    for place, key in enumerate(keys):
        if key in alone:
            other = alone.pop(key)
            partner[place], partner[other] = other, place
        else:
            alone[key] = place
    return partner
