"""Places and parameters of URLs, as the testbed distinguishes them when it matches a request. Pure.

A parameter of the path is a piece of a segment of the form `;name=value` (RFC 3986, section 3.3), such as `;ord=123` in
`/adi/N1;ord=123`. The rule is that of testbed/crates/replay/src/path_parameters.rs; testbed/cases/paths.json tests both
with the same cases. The path is written as Chromium requests it.
"""

import re
from collections.abc import Iterable, Set
from urllib.parse import urlsplit

# host and path without parameters
Place = tuple[str, str]
# the parameters of the path, each with its semicolon, then the pieces of the query, as written
Parameters = tuple[str, ...]

# a number without a name, as in /hit.gif?0.4711, and the name that it has in the file
NUMBER, NUMBER_ALONE = re.compile(r"\d+(?:\.\d+)?", re.ASCII), "="
PATH_PARAMETER = re.compile(r";[^;=/]+=[^;/]*")


def split_url(url: str) -> tuple[Place, Parameters]:
    """Returns place and parameters; an invalid URL, such as an incomplete IPv6 address, is a path as a whole."""
    try:
        parts = urlsplit(url)
    except ValueError:  # only in a recording: browsers request valid URLs
        return ("", url), ()
    path = (parts.path or "/").replace("|", "%7C").replace("^", "%5E")
    pieces = (piece for piece in parts.query.split("&") if piece)
    return (_host(parts.hostname or ""), bare(path)), (*path_parameters(path), *pieces)


def _host(name: str) -> str:
    """The host as in URLs: an IPv6 address in brackets."""
    return f"[{name}]" if ":" in name else name


def bare(path: str) -> str:
    """Returns the path without its parameters."""
    return PATH_PARAMETER.sub("", path)


def path_parameters(path: str) -> list[str]:
    """Returns the parameters of all segments in order, each with its semicolon."""
    return PATH_PARAMETER.findall(path)


def name_of(piece: str) -> str:
    """Returns the name of a parameter; `=` for a number alone, and the whole piece if it has no `=` otherwise.

    The rule is that of `name` in testbed/crates/replay/src/matching/query.rs; testbed/cases/names.json tests both with
    the same cases.
    """
    return NUMBER_ALONE if NUMBER.fullmatch(piece) else piece.partition("=")[0]


def named(parameters: Iterable[str]) -> list[tuple[str, str]]:
    """Returns names and values as written, without pieces that have no `=` and are not numbers."""
    pieces = ((name_of(piece), piece) for piece in parameters if "=" in piece or NUMBER.fullmatch(piece))
    return [(name, piece if name == NUMBER_ALONE else piece.partition("=")[2]) for name, piece in pieces if name]


def without(parameters: Parameters, names: Set[str]) -> Parameters:
    """Returns the parameters without those of these names."""
    return tuple(piece for piece in parameters if name_of(piece) not in names)
