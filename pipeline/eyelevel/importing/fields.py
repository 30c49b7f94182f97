"""Reads fields of a JSON object; an error names the file, the field, the value and the cure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from eyelevel.errors import BadInputError


class WrongFieldError(BadInputError):
    """`reason` is the sentence without the file and the cure."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}; export the file again.")
        self.reason = reason


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

    def optional_object(self, name: str) -> "Fields":
        """An empty object where there is none."""
        found = self.value.get(name) if isinstance(self.value, Mapping) else None
        return Fields(found if isinstance(found, Mapping) else {}, self.source, self._path(name))

    def list(self, name: str) -> list[Any]:
        found = self._held().get(name)
        if not isinstance(found, list):
            raise self.wrong(name, "a list")
        return found

    def entry(self, name: str, number: int) -> "Fields":
        """What is in a list; its fields cannot be read where it is no object."""
        return Fields(self.list(name)[number], self.source, f"{self._path(name)}[{number}]")

    def text(self, name: str) -> str:
        found = self._held().get(name)
        if not isinstance(found, str):
            raise self.wrong(name, "text")
        return found

    def optional_text(self, name: str) -> str | None:
        return None if self._held().get(name) is None else self.text(name)

    def some_text(self, name: str) -> str:
        """Text or a number as text; empty where there is neither."""
        found = self._held().get(name)
        return str(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else ""

    def number(self, name: str) -> int:
        """A whole number, or text of digits."""
        found = self.optional_number(name)
        if found is None:
            raise self.wrong(name, "a whole number")
        return found

    def optional_number(self, name: str) -> int | None:
        """None where there is no whole number."""
        found = self._held().get(name)
        if isinstance(found, str) and re.fullmatch(r"\s*-?[0-9]{1,15}\s*", found):
            return int(found)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
        return int(found) if isinstance(found, float) and found.is_integer() else None

    def wrong(self, name: str, expected: str) -> WrongFieldError:
        found = self.value.get(name) if isinstance(self.value, Mapping) else None
        shown = "missing" if found is None else _shown(found)
        return WrongFieldError(self.source, f"{self._path(name)} is {shown}, and must be {expected}")

    def _held(self) -> Mapping[str, Any]:
        if isinstance(self.value, Mapping):
            return self.value
        if not self.path:
            raise BadInputError(f"{self.source} must hold a JSON object; export the file again.")
        raise WrongFieldError(self.source, f"{self.path} is {_shown(self.value)}, and must be an object")

    def _path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def _shown(value: Any) -> str:
    """As the file has it; text in quotes of this project's messages."""
    return repr(value)[:60] if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:60]


def utc(text: str) -> str | None:
    """An ISO 8601 time as WARC-Date has it, in whole seconds; None where it is none, or has no time zone."""
    try:
        found = datetime.fromisoformat(text)
        return None if found.tzinfo is None else found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None
