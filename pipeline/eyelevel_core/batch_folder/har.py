"""Reads the fields that Eyelevel uses from the HAR log of a page: HAR 1.2, with `_fromCache` and `_error`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from eyelevel_core.batch_folder.files import read_object
from eyelevel_core.contracts import ContractError


@dataclass(frozen=True)
class HarEntry:
    """A request with its answer: `begun_ms` since 1970; `timings` by phase in ms, -1 where unknown.

    `headers` are the answer's. `error` is the browser's where it failed, `server_address` None where it is unknown.
    """

    url: str
    method: str
    status: int
    begun_ms: float
    timings: Mapping[str, float]
    headers: Sequence[tuple[str, str]]
    server_address: str | None
    from_cache: bool
    error: str | None

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Self:
        """Parses an entry of a HAR log. Raise KeyError, TypeError or ValueError where it is not valid."""
        request, response = entry["request"], entry["response"]
        return cls(
            url=request["url"],
            method=request["method"],
            status=response["status"],
            begun_ms=datetime.fromisoformat(entry["startedDateTime"]).timestamp() * 1000,
            timings=entry["timings"],
            headers=[(header["name"], header["value"]) for header in response["headers"]],
            server_address=entry.get("serverIPAddress"),
            from_cache=bool(entry.get("_fromCache")),
            error=response.get("_error"),
        )

    def header(self, name: str) -> str:
        """The values of a response header, joined; empty where it is missing. `name` is in lower case."""
        return ", ".join(value for header, value in self.headers if header.lower() == name)


def read_har(path: Path) -> list[HarEntry]:
    """Returns the entries of a HAR file. Raise ContractError where it is not a HAR file."""
    value = read_object(path)
    try:
        return [HarEntry.of(entry) for entry in value["log"]["entries"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ContractError(f"{path} is not a HAR log ({error!r}); capture the take again.") from error
