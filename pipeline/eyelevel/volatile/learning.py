"""Finds volatile query parameters by comparing what two loads asked for, and what the recording would answer. Pure.

A parameter of a host and path is volatile if it differs between the two loads, and the recorded answers that are left
without it have one body. A parameter that selects content (an id, a page number) differs and stays, because the
answers differ with it. The loads draw different random numbers, and their clocks run differently.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlsplit

from eyelevel_core.model.volatile import Callback, Volatile, VolatileParameter

Place = tuple[str, str]  # host and path
# the most of a value that `why` shows
SHOWN = 24


@dataclass(frozen=True)
class Recorded:
    """A recorded response of a 2xx status; `body` without any content encoding."""

    url: str
    body: bytes


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
        kept = _unambiguous(differing, known[place])
        for name in sorted(kept):
            parameters.append(VolatileParameter(*place, name, _why(values[0][name], values[1][name])))
            if any(_calls(value, body) for value, body in _recorded_values(name, known[place])):
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


def _answers(recorded: Iterable[Recorded]) -> Mapping[Place, list[tuple[str, bytes]]]:
    """The bodies by query; of a URL that was recorded several times, the first."""
    found: dict[Place, dict[str, bytes]] = defaultdict(dict)
    for one in recorded:
        place, query = _split(one.url)
        found[place].setdefault(query, one.body)
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


def _unambiguous(names: Set[str], answers: Sequence[tuple[str, bytes]]) -> set[str]:
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


def _ambiguous(names: Set[str], answers: Sequence[tuple[str, bytes]]) -> int:
    """How many pairs of different bodies a request without these names could get."""
    bodies: dict[frozenset[tuple[str, str]] | str, set[bytes]] = defaultdict(set)
    for query, body in answers:
        bodies[without(query, names)].add(_anonymous(query, body, names))
    return sum(len(found) * (len(found) - 1) // 2 for found in bodies.values())


def without(query: str, names: Set[str]) -> str:
    """The query without the pieces of these names."""
    return "&".join(piece for piece in query.split("&") if piece and piece.partition("=")[0] not in names)


def _anonymous(query: str, body: bytes, names: Set[str]) -> bytes:
    """A digest of the body without the name of the function that it calls, where one of these parameters gives it."""
    for name, value in pieces(query):
        if name in names and _calls(value, body):
            body = body.replace(unquote_plus(value).encode(), b"", 2)
            break
    return hashlib.sha256(body).digest()


def _calls(value: str, body: bytes) -> bool:
    """Whether the body begins with a call of the function of this name, with what JSONP servers put before it."""
    function = unquote_plus(value)
    if not re.fullmatch(r"[A-Za-z_$][\w$.]{0,127}", function, re.ASCII):
        return False
    name = re.escape(function)
    call = rf"\ufeff?\s*(?:/\*\*/)?\s*;?\s*(?:typeof {name} ?={{2,3}} ?['\"]function['\"] ?&& ?)?{name}\s*\("
    return re.match(call, body[:1024].decode(errors="replace")) is not None


def _recorded_values(name: str, answers: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    return [(value, body) for query, body in answers for found, value in pieces(query) if found == name]


def _why(one: Set[str], other: Set[str]) -> str:
    shown = " and ".join(_short(min(values)) for values in (one - other, other - one))
    return f"differs between two loads ({shown}); the recorded answers left without it have one body"


def _short(value: str) -> str:
    return value if len(value) <= SHOWN else f"{value[:SHOWN]}..."
