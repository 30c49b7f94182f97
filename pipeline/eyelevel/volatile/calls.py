"""Finds calls of a function that a query parameter names (JSONP), by the syntax that the testbed can rename. Pure.

The syntax is that of `cut` in testbed/crates/replay/src/matching/callback.rs, and testbed/cases/jsonp.json holds both
to the same cases. A
recorded answer that calls the function in another way would call the recorded name in every replay.
"""

import re
from functools import lru_cache

# a path of JavaScript identifiers; the testbed puts no other name into a script
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$.]{0,127}", re.ASCII)
# white space as Rust's is_ascii_whitespace defines it
SPACE = rb"[ \t\n\f\r]*"


def without_name(function: str, body: bytes) -> tuple[bytes, ...] | None:
    """The body cut at the name of the function that it begins by calling; None where it does not begin with a call."""
    if not IDENTIFIER.fullmatch(function):
        return None
    found = _opening(function).match(body)
    if found is None:
        return None
    ends = [found.span(name) for name in ("tested", "called") if found.group(name) is not None]
    bounds = [0, *(at for span in ends for at in span), len(body)]
    return tuple(body[begin:end] for begin, end in zip(bounds[::2], bounds[1::2], strict=True))


def calls_anywhere(function: str, body: bytes) -> bool:
    """Whether the function is called anywhere in the body, also as a member such as `window.NAME(`."""
    if not IDENTIFIER.fullmatch(function):
        return False
    return re.search(rb"(?<![\w$])" + re.escape(function.encode()) + SPACE + rb"\(", body) is not None


@lru_cache(maxsize=256)
def _opening(function: str) -> re.Pattern[bytes]:
    name = re.escape(function.encode())
    quoted = rb"(?:'function'|\"function\")"
    test = rb"typeof " + SPACE + rb"(?P<tested>" + name + rb")" + SPACE + rb"={2,3}" + SPACE + quoted
    guard = rb"(?:" + test + SPACE + rb"&&" + SPACE + rb")?"
    return re.compile(SPACE + rb"(?:/\*\*/)?" + SPACE + guard + rb"(?P<called>" + name + rb")" + SPACE + rb"\(")
