"""Volatile parameters of a recording: parameters of URLs that replay ignores in matching. Contract volatile.1.

A match without them counts as equivalent, between exact and inexact. A person can read and correct the file.
"""

from dataclasses import dataclass
from typing import ClassVar

from eyelevel_core.model.record import Record, left_out_at_default


@dataclass(frozen=True)
class VolatileParameter(Record):
    """A parameter of the requests for `host` and `path`; its name is spelt as in the URL. `why` is for people.

    A name that begins with `;` is of the path (`;ord` for /ad;ord=123, whose `path` is then /ad), any other of the
    query.
    """

    host: str
    path: str
    parameter: str
    why: str = left_out_at_default("")


@dataclass(frozen=True)
class Callback(Record):
    """A parameter with the name of the function that a JSONP answer calls; replay inserts the requested name."""

    host: str
    path: str
    parameter: str


@dataclass(frozen=True)
class Volatile(Record):
    """Volatile parameters; `recording` is the SHA-256 of the WARC. A callback is also listed in `parameters`."""

    CONTRACT: ClassVar[str] = "eyelevel/volatile/1"

    recording: str
    parameters: tuple[VolatileParameter, ...]
    callbacks: tuple[Callback, ...]
