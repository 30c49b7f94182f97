"""Finds volatile query parameters by comparing what two loads asked for, and what the recording would answer. Pure.

A parameter of a host and path is volatile if it differs between the two loads, and the recorded answers that are left
without it have one body. A parameter that selects content (an id, a page number) differs and stays, because the
answers differ with it. The name of a function that a recorded answer calls in a way that the testbed cannot rename
stays as well: the page's function would never be called. The loads draw different random numbers, and their clocks show
different days, hours, minutes and seconds.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlsplit

from eyelevel.volatile.calls import IDENTIFIER, calls_anywhere, without_name
from eyelevel_core.model.volatile import Callback, Volatile, VolatileParameter

Place = tuple[str, str]  # host and path
# the most of a value that `why` shows
SHOWN = 24


@dataclass(frozen=True)
class Recorded:
    """A recorded response of a 2xx status; `body` without any content encoding.

    `sealed`: a script that the testbed cannot decode (br, zstd, or too large), so that it cannot rename what it calls.
    """

    url: str
    body: bytes
    sealed: bool = False


def learn(recording: str, one: Iterable[str], other: Iterable[str], recorded: Iterable[Recorded]) -> Volatile:
    """The volatile parameters. `one` and `other` are the URLs that the two loads asked for.

    `recording` is the SHA-256 of the WARC. The order of URLs and responses does not matter.
    """
    asked, again, known = _by_place(one), _by_place(other), _answers(recorded)
    parameters: list[VolatileParameter] = []
    callbacks: list[Callback] = []
    for place in sorted(asked.keys() & again.keys() & known.keys()):
        values = _values(asked[place]), _values(again[place])
        differing = {name for name in values[0].keys() & values[1].keys() if _differ(values[0][name], values[1][name])}
        differing -= {name for name in differing if _is_stuck(name, known[place])}
        kept = _unambiguous(differing, known[place])
        for name in sorted(kept):
            parameters.append(VolatileParameter(*place, name, _why(values[0][name], values[1][name])))
            if any(_cut(name, query, answer.body) for query, answer in known[place]):
                callbacks.append(Callback(*place, name))
    return Volatile(recording=recording, parameters=tuple(parameters), callbacks=tuple(callbacks))


def pieces(query: str) -> list[tuple[str, str]]:
    """Names and values of a query as they are spelt; a piece without `=` has no name that could be ignored."""
    found = (piece.partition("=") for piece in query.split("&") if "=" in piece)
    return [(name, value) for name, _, value in found if name]


def _by_place(urls: Iterable[str]) -> Mapping[Place, list[str]]:
    found: dict[Place, list[str]] = defaultdict(list)
    for place, query in map(_split, urls):
        found[place].append(query)
    return found


def _split(url: str) -> tuple[Place, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # what browsers ask for is a URL; what a recording names may be none
        return ("", url), ""
    return (parts.hostname or "", parts.path or "/"), parts.query


def _answers(recorded: Iterable[Recorded]) -> Mapping[Place, list[tuple[str, Recorded]]]:
    """The answers by query; of a URL that was recorded several times, the first."""
    found: dict[Place, dict[str, Recorded]] = defaultdict(dict)
    for one in recorded:
        place, query = _split(one.url)
        found[place].setdefault(query, one)
    return {place: list(bodies.items()) for place, bodies in found.items()}


def _values(queries: Iterable[str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for query in queries:
        for name, value in pieces(query):
            found[name].add(value)
    return found


def _differ(one: Set[str], other: Set[str]) -> bool:
    """Each load has a value that the other has not: a load that merely asked for more does not differ."""
    return bool(one - other) and bool(other - one)


def _unambiguous(names: Set[str], answers: Sequence[tuple[str, Recorded]]) -> set[str]:
    """Those names without which the recorded answers are still told apart; those that select content are taken out.

    The one whose value tells the most answers apart is taken out first, of equal ones the first by name.
    """
    left = set(names)
    while left and (ambiguous := _ambiguous(left, answers)):
        fewest = min(sorted(left), key=lambda name: _ambiguous(left - {name}, answers))
        # where no single parameter tells more answers apart than before, several select the content together
        if _ambiguous(left - {fewest}, answers) >= ambiguous:
            return set()
        left.remove(fewest)
    return left


def _ambiguous(names: Set[str], answers: Sequence[tuple[str, Recorded]]) -> int:
    """How many pairs of different bodies a request without these names could get."""
    bodies: dict[str, set[bytes]] = defaultdict(set)
    for query, answer in answers:
        bodies[without(query, names)].add(_anonymous(query, answer.body, names))
    return sum(len(found) * (len(found) - 1) // 2 for found in bodies.values())


def without(query: str, names: Set[str]) -> str:
    """The query without the pieces of these names."""
    return "&".join(piece for piece in query.split("&") if piece and piece.partition("=")[0] not in names)


def _anonymous(query: str, body: bytes, names: Set[str]) -> bytes:
    """A digest of the body without the name of the function that it calls, where one of these parameters gives it."""
    cuts = (_cut(name, query, body) for name in sorted(names))
    pieces_left = next((cut for cut in cuts if cut is not None), (body,))
    return hashlib.sha256(b"\0".join(pieces_left)).digest()


def _cut(name: str, query: str, body: bytes) -> tuple[bytes, ...] | None:
    """The body cut at the function that this parameter names; None where it does not begin with a call of it."""
    value = _value(name, query)
    return None if value is None else without_name(value, body)


def _is_stuck(name: str, answers: Iterable[tuple[str, Recorded]]) -> bool:
    """Whether an answer calls, or may call, the function that this parameter names where it cannot be renamed."""
    for query, answer in answers:
        value = _value(name, query)
        if value is None or not IDENTIFIER.fullmatch(value):
            continue
        if answer.sealed or (without_name(value, answer.body) is None and calls_anywhere(value, answer.body)):
            return True
    return False


def _value(name: str, query: str) -> str | None:
    """The decoded value of the first piece of this name."""
    value = next((value for found, value in pieces(query) if found == name), None)
    return None if value is None else unquote_plus(value)


def _why(one: Set[str], other: Set[str]) -> str:
    shown = " and ".join(_short(min(values)) for values in (one - other, other - one))
    return f"differs between two loads ({shown}); the recorded answers left without it have one body"


def _short(value: str) -> str:
    return value if len(value) <= SHOWN else f"{value[:SHOWN]}..."
