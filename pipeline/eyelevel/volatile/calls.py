"""Finds calls of a function that a query parameter names (JSONP), by the syntax that the testbed can rename. Pure.

The syntax is that of `cut` in testbed/crates/replay/src/matching/callback.rs, and testbed/cases/jsonp.json holds both
to the same cases. A
recorded answer that calls the function in another way would call the recorded name in every replay.
"""

import re
from functools import lru_cache

# a path of JavaScript identifiers; the testbed puts no other name into a script
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$.]{0,127}", re.ASCII)
# a name has one of these, a number or a mark has none
NAMING = re.compile(r"[A-Za-z_$]")
STRING = re.compile(rb"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
# white space as Rust's is_ascii_whitespace defines it
SPACE = rb"[ \t\n\f\r]*"
# a byte order mark, white space, comments and empty statements
LEAD = rb"(?:\xef\xbb\xbf)?(?>[ \t\n\f\r;]|/\*.*?\*/|//[^\r\n]*)*+"
ATTEMPT = rb"(?:try" + SPACE + rb"\{" + SPACE + rb")?"


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
    """Whether the function is called anywhere in the body, as a member such as `window.NAME(` or `list[3](` too."""
    if not NAMING.search(function):
        return False
    return re.search(rb"(?<![\w$])" + re.escape(function.encode()) + SPACE + rb"\(", body) is not None


def names_anywhere(function: str, script: bytes) -> bool:
    """Whether a script names the function outside its strings, or as a member: `window['NAME']`."""
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
