"""Reads fields of a JSON object strictly; an error names the file, the field, the value and the cure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from eyelevel.errors import BadInputError

CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Fields:
    """A JSON object and where it is: `path` is such as log.entries[3], and empty at the top."""

    value: Any
    source: str
    path: str

    def object(self, name: str) -> "Fields":
        found = self._held().get(name)
        if not isinstance(found, Mapping):
            raise self.wrong(name, "an object")
        return Fields(found, self.source, self._path(name))

    def list(self, name: str) -> list[Any]:
        found = self._held().get(name)
        if not isinstance(found, list):
            raise self.wrong(name, "a list")
        return found

    def entry(self, name: str, number: int) -> "Fields":
        """An object in a list."""
        found = self.list(name)[number]
        if not isinstance(found, Mapping):
            raise self.wrong(f"{name}[{number}]", "an object")
        return Fields(found, self.source, f"{self._path(name)}[{number}]")

    def text(self, name: str) -> str:
        found = self._held().get(name)
        if not isinstance(found, str):
            raise self.wrong(name, "text")
        return found

    def line(self, name: str) -> str:
        """Text without line breaks and other control characters, which would end a field of a WARC file."""
        found = self.text(name)
        if CONTROL.search(found):
            raise self.wrong(name, "text without line breaks and control characters")
        return found

    def optional_text(self, name: str) -> str | None:
        return None if self._held().get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        found = self._held().get(name)
        if not isinstance(found, int | float) or isinstance(found, bool) or found != int(found):
            raise self.wrong(name, "a whole number")
        return int(found)

    def wrong(self, name: str, expected: str) -> BadInputError:
        found = self.value.get(name) if isinstance(self.value, Mapping) else None
        shown = "missing" if found is None else repr(found)[:60]
        return BadInputError(
            f"{self.source}: {self._path(name)} is {shown}, and must be {expected}; export the file again."
        )

    def _held(self) -> Mapping[str, Any]:
        if not isinstance(self.value, Mapping):
            raise BadInputError(f"{self.source} must hold a JSON object; export the file again.")
        return self.value

    def _path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def utc(text: str) -> str | None:
    """An ISO 8601 time as WARC-Date has it, in whole seconds; None where it is none, or has no time zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if found.tzinfo is None else found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
