"""Finds calls of a function that a query parameter names (JSONP), by the syntax that the testbed can rename. Pure.

The syntax is that of `cut` in testbed/crates/replay/src/matching/callback.rs; testbed/cases/jsonp.json tests both with
the same cases. A recorded answer that calls the function in another way would call the recorded name in every replay.
"""

import re
from functools import lru_cache

# a path of JavaScript identifiers; the testbed writes no other names into a script
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$.]{0,127}", re.ASCII)
# a name contains one of these, a number or punctuation does not
NAMING = re.compile(r"[A-Za-z_$]")
STRING = re.compile(rb"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
# white space as Rust's is_ascii_whitespace defines it
SPACE = rb"[ \t\n\f\r]*"
# a byte order mark, white space, comments and empty statements
LEAD = rb"(?:\xef\xbb\xbf)?(?>[ \t\n\f\r;]|/\*.*?\*/|//[^\r\n]*)*+"
ATTEMPT = rb"(?:try" + SPACE + rb"\{" + SPACE + rb")?"


def without_name(function: str, body: bytes) -> tuple[bytes, ...] | None:
    """Returns the body split at the name of the function that it first calls; None if it does not begin with a call."""
    if not IDENTIFIER.fullmatch(function):
        return None
    match = _opening(function).match(body)
    if match is None:
        return None
    ends = [match.span(name) for name in ("tested", "called") if match.group(name) is not None]
    bounds = [0, *(at for span in ends for at in span), len(body)]
    return tuple(body[begin:end] for begin, end in zip(bounds[::2], bounds[1::2], strict=True))


def calls_anywhere(function: str, body: bytes) -> bool:
    """Returns whether the body calls the function anywhere, also as a member such as `window.NAME(` or `list[3](`."""
    if not NAMING.search(function):
        return False
    return re.search(rb"(?<![\w$])" + re.escape(function.encode()) + SPACE + rb"\(", body) is not None


def names_anywhere(function: str, script: bytes) -> bool:
    """Returns whether a script names the function outside strings, or as a member: `window['NAME']`."""
    name = re.escape(function.encode())
    bare = re.search(rb"(?<![\w$])" + name + rb"(?![\w$])", STRING.sub(b"''", script))
    return bare is not None or re.search(rb"\[\s*(['\"])" + name + rb"\1\s*\]", script) is not None


@lru_cache(maxsize=256)
def _opening(function: str) -> re.Pattern[bytes]:
    name = re.escape(function.encode())
    tested, called = (rb"(?:window\.)?(?P<" + group + rb">" + name + rb")" + SPACE for group in (b"tested", b"called"))
    is_function = rb"={2,3}" + SPACE + rb"(?:'function'|\"function\")" + SPACE
    guard = rb"(?:(?P<typeof>typeof )?" + SPACE + tested + rb"(?(typeof)" + is_function + rb")&&" + SPACE + rb")?"
    return re.compile(LEAD + ATTEMPT + guard + called + rb"\(", re.DOTALL)
