"""Which stack of a pair stands left: balanced in each session, and over the sessions that see the same two films."""

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence


def turned(
    shown: Sequence[tuple[Hashable, Hashable]], *, ahead: Mapping[Hashable, int] | None = None, rng: random.Random
) -> list[bool]:
    """For every showing whether it is turned round; `shown` has (session, films) of each, in the sessions' order.

    Within a session the two ways differ by 1 at most, and so they do over the showings of the same films: at the end,
    and after any number of sessions.

    Showings of one session are coupled two and two, and so are those of the same films, each with the next one; of two
    that are coupled exactly one is turned. That can always be: a showing has one partner in its session and one among
    its films at most, so couples form chains and rings, and a ring takes both kinds of couple in turn, hence has an
    even length. (It is the equitable colouring with two colours of the edges of a bipartite graph; D. de Werra, 1971.)

    Which way a chain goes is a lot, unless one way makes up for films that were `ahead` before: shown turned so much
    oftener than not.
    """
    partners = [_couples(session for session, _ in shown), _couples(films for _, films in shown)]
    done: list[bool | None] = [None] * len(shown)
    for start in range(len(shown)):
        if done[start] is not None:
            continue
        done[start] = rng.random() < 0.5
        chain = [start]
        # one way along the chain, then the other; a ring comes back by itself
        for first in (0, 1):
            here, side = start, first
            while (there := partners[side].get(here)) is not None and done[there] is None:
                done[there] = not done[here]
                chain.append(there)
                here, side = there, 1 - side
        if sum((ahead or {}).get(shown[place][1], 0) * (1 if done[place] else -1) for place in chain) > 0:
            for place in chain:
                done[place] = not done[place]
    return [bool(way) for way in done]


def _couples(keys: Iterable[Hashable]) -> dict[int, int]:
    """Partner of each place: the first place with a key and the second, the third and the fourth, and so on."""
    alone: dict[Hashable, int] = {}
    partner: dict[int, int] = {}
    for place, key in enumerate(keys):
        if key in alone:
            other = alone.pop(key)
            partner[place], partner[other] = other, place
        else:
            alone[key] = place
    return partner
