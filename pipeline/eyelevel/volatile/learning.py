"""Finds volatile parameters by comparing the requests of two loads with each other and with the recording. Pure.

A parameter of the query or of the path (`;ord=123`) is volatile, for its host and path, if it differs between the two
loads, and if the recorded answers that cannot be distinguished without it have the same body. A parameter that selects
content (an id, a page number) differs, but is not volatile, because the answers differ. The name of a function that a
recorded answer calls in a way that the testbed cannot rename is not volatile either: the page's function would never be
called. The loads have different random numbers, and clocks with different days, hours, minutes and seconds. A stamp
that differs only between both loads and the recording (stamps.py) is also volatile on the same condition.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from os.path import commonprefix
from urllib.parse import unquote_plus

from eyelevel.volatile.calls import IDENTIFIER, calls_anywhere, names_anywhere, without_name
from eyelevel.volatile.stamps import stamps
from eyelevel.volatile.urls import Parameters, Place, named, split_url, without
from eyelevel_core.model.volatile import Callback, Volatile, VolatileParameter

# maximum characters of a value in `why`, and how many of them both values may have in common
SHOWN, ALIKE = 24, 12


@dataclass(frozen=True)
class Recorded:
    """A recorded response with a 2xx status, or a redirect; `body` is decoded, and the Location of a redirect.

    `script`: it is a script. `sealed`: it is a script that is not decoded here (br, zstd, or too large), so it is
    unknown what it calls.
    """

    url: str
    body: bytes
    script: bool = False
    sealed: bool = False


def learn(recording: str, one: Iterable[str], other: Iterable[str], recorded: Iterable[Recorded]) -> Volatile:
    """Returns the volatile parameters; `one` and `other` are the URLs that the two loads requested.

    `recording` is the SHA-256 of the WARC. The order of URLs and responses does not matter.
    """
    asked, again, known = _by_place(one), _by_place(other), _answers(recorded)
    parameters: list[VolatileParameter] = []
    callbacks: list[Callback] = []
    for place in sorted((asked.keys() | again.keys()) & known.keys()):
        why = _reasons(asked.get(place, []), again.get(place, []), [given for given, _ in known[place]])
        differing = why.keys() - {name for name in why if _is_stuck(name, known[place])}
        names = _unambiguous(differing, known[place])
        for name in sorted(names):
            parameters.append(VolatileParameter(*place, name, why[name]))
            if any(_cut(name, given, answer.body) for given, answer in known[place]):
                callbacks.append(Callback(*place, name))
    return Volatile(recording=recording, parameters=tuple(parameters), callbacks=tuple(callbacks))


def _reasons(
    one: Sequence[Parameters], other: Sequence[Parameters], recorded: Sequence[Parameters]
) -> Mapping[str, str]:
    """The parameters of a place that may be volatile, with the observation for each."""
    values = _values(one), _values(other)
    names = {name for name in values[0].keys() & values[1].keys() if _differ(values[0][name], values[1][name])}
    alike = set(one) & set(other) if one and other else {*one, *other}
    reasons = {name: _why_stamp(*pair) for name, pair in stamps(alike, recorded).items()}
    return reasons | {name: _why(values[0][name], values[1][name]) for name in names}


def _by_place(urls: Iterable[str]) -> Mapping[Place, list[Parameters]]:
    by_place: dict[Place, list[Parameters]] = defaultdict(list)
    for place, parameters in map(split_url, urls):
        by_place[place].append(parameters)
    return by_place


def _answers(recorded: Iterable[Recorded]) -> Mapping[Place, list[tuple[Parameters, Recorded]]]:
    """The answers with the parameters of their URLs; only the first answer of each URL."""
    by_place: dict[Place, dict[str, tuple[Parameters, Recorded]]] = defaultdict(dict)
    for answer in recorded:
        place, parameters = split_url(answer.url)
        by_place[place].setdefault(_without_scheme(answer.url), (parameters, answer))
    return {place: list(answers.values()) for place, answers in by_place.items()}


def _without_scheme(url: str) -> str:
    """The address without its scheme, because replay answers http and https in the same way."""
    return url.partition("#")[0].partition("://")[2]


def _values(asked: Iterable[Parameters]) -> Mapping[str, set[str]]:
    values: dict[str, set[str]] = defaultdict(set)
    for parameters in asked:
        for name, value in named(parameters):
            values[name].add(value)
    return values


def _differ(one: Set[str], other: Set[str]) -> bool:
    """Whether each load has a value that the other lacks; a load that only requested more does not differ."""
    return bool(one - other) and bool(other - one)


def _unambiguous(names: Set[str], answers: Sequence[tuple[Parameters, Recorded]]) -> set[str]:
    """The names without those that are needed to distinguish the recorded answers, because they select content.

    The name whose value distinguishes the most answers is removed first; among equals, the first by name.
    """
    left = set(names)
    while left and (ambiguous := _ambiguous(left, answers)):
        fewest = min(sorted(left), key=lambda name: _ambiguous(left - {name}, answers))
        # if no single parameter distinguishes more answers, several select the content together
        if _ambiguous(left - {fewest}, answers) >= ambiguous:
            return set()
        left.remove(fewest)
    return left


def _ambiguous(names: Set[str], answers: Sequence[tuple[Parameters, Recorded]]) -> int:
    """The number of pairs of different bodies that a request without these names could get."""
    bodies: dict[Parameters, set[bytes]] = defaultdict(set)
    for given, answer in answers:
        bodies[without(given, names)].add(_anonymous(given, answer.body, names))
    return sum(len(different) * (len(different) - 1) // 2 for different in bodies.values())


def _anonymous(given: Parameters, body: bytes, names: Set[str]) -> bytes:
    """A digest of the body, without the name of the function that it calls if one of these parameters gives it."""
    cuts = (_cut(name, given, body) for name in sorted(names))
    pieces_left = next((cut for cut in cuts if cut is not None), (body,))
    return hashlib.sha256(b"\0".join(pieces_left)).digest()


def _cut(name: str, given: Parameters, body: bytes) -> tuple[bytes, ...] | None:
    """The body split at the function that this parameter names; None if it does not begin with a call of it."""
    value = _value(name, given)
    return None if value is None else without_name(value, body)


def _is_stuck(name: str, answers: Iterable[tuple[Parameters, Recorded]]) -> bool:
    """Whether an answer calls, or may call, the function that this parameter names in a way that cannot be renamed."""
    for given, answer in answers:
        value = _value(name, given)
        if value is not None and without_name(value, answer.body) is None and _may_call(value, answer):
            return True
    return False


def _may_call(function: str, answer: Recorded) -> bool:
    if calls_anywhere(function, answer.body):
        return True
    is_name = IDENTIFIER.fullmatch(function) is not None
    return is_name and (answer.sealed or (answer.script and names_anywhere(function, answer.body)))


def _value(name: str, given: Parameters) -> str | None:
    """The decoded value of the first parameter of this name."""
    value = next((value for other, value in named(given) if other == name), None)
    return None if value is None else unquote_plus(value)


def _why(one: Set[str], other: Set[str]) -> str:
    values = min(one - other), min(other - one)
    # some characters of the common beginning show which part of a long value differs
    begin = max(0, len(commonprefix(values)) - ALIKE)  # noqa: RUF071 - values, not paths
    shown = " and ".join(_short(value, begin) for value in values)
    return f"differs between two loads ({shown}); the recorded answers left without it are equal"


def _why_stamp(asked: str, recorded: str) -> str:
    return (
        f"a stamp in which the request differs from the recording ({asked or 'none'} and {recorded or 'none'}); the "
        "recorded answers left without it are equal"
    )


def _short(value: str, begin: int) -> str:
    end = begin + SHOWN
    return f"{'...' * (begin > 0)}{value[begin:end]}{'...' * (len(value) > end)}"
