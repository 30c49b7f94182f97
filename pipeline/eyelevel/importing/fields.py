"""Reads fields of a JSON object, with errors that give the file, the field, the value and the cure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from eyelevel.errors import BadInputError


class WrongFieldError(BadInputError):
    """A field with a wrong value; `reason` is the message without the file and the cure."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}; export the file again.")
        self.reason = reason


@dataclass(frozen=True)
class Fields:
    """A JSON object and its place: `path` is for example log.entries[3], and empty at the top."""

    value: Any
    source: str
    path: str

    def object(self, name: str) -> "Fields":
        value = self._fields().get(name)
        if not isinstance(value, Mapping):
            raise self.wrong(name, "an object")
        return Fields(value, self.source, self._path(name))

    def optional_object(self, name: str) -> "Fields":
        """Returns the object; an empty one if it is missing."""
        value = self.value.get(name) if isinstance(self.value, Mapping) else None
        return Fields(value if isinstance(value, Mapping) else {}, self.source, self._path(name))

    def list(self, name: str) -> list[Any]:
        value = self._fields().get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return value

    def entry(self, name: str, number: int) -> "Fields":
        """Returns an item of a list; reading its fields raises WrongFieldError if it is not an object."""
        return Fields(self.list(name)[number], self.source, f"{self._path(name)}[{number}]")

    def text(self, name: str) -> str:
        value = self._fields().get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        return value

    def optional_text(self, name: str) -> str | None:
        """Returns the text; None if it is missing."""
        return None if self._fields().get(name) is None else self.text(name)

    def some_text(self, name: str) -> str:
        """Returns text, or a number as text; an empty string for other values."""
        value = self._fields().get(name)
        return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""

    def number(self, name: str) -> int:
        """Returns a whole number, also from text of digits."""
        number = self.optional_number(name)
        if number is None:
            raise self.wrong(name, "a whole number")
        return number

    def optional_number(self, name: str) -> int | None:
        """Returns a whole number; None for other values."""
        value = self._fields().get(name)
        if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,15}\s*", value):
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        return int(value) if isinstance(value, float) and value.is_integer() else None

    def wrong(self, name: str, expected: str) -> WrongFieldError:
        """Returns the error for a field that must be `expected`."""
        value = self.value.get(name) if isinstance(self.value, Mapping) else None
        shown = "missing" if value is None else _shown(value)
        return WrongFieldError(self.source, f"{self._path(name)} is {shown}, and must be {expected}")

    def _fields(self) -> Mapping[str, Any]:
        if isinstance(self.value, Mapping):
            return self.value
        if not self.path:
            raise BadInputError(f"{self.source} must be a JSON object; export the file again.")
        raise WrongFieldError(self.source, f"{self.path} is {_shown(self.value)}, and must be an object")

    def _path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def _shown(value: Any) -> str:
    """The value as JSON; text in single quotes, as in other messages."""
    return repr(value)[:60] if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:60]


def utc(text: str) -> str | None:
    """Returns an ISO 8601 time in the form of WARC-Date, in whole seconds; None if invalid or without a time zone."""
    try:
        time = datetime.fromisoformat(text)
        return None if time.tzinfo is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None
