"""Frozen dataclasses that mirror a JSON object: parsed from it after the schema's check, written from it without loss.

A field with a default is optional in the file. What the file left out, and what it has beyond the fields, is kept, so
that a file that is read and written again has the same digest. Numbers are not converted: 293 and 293.0 differ.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

OMIT = "left out at its default"


def left_out_at_default(default: Any) -> Any:
    """Declares a field that is written only if it differs from `default`, or if the file that was read had it.

    Every field that is added to a contract is declared so, so that no digest changes.
    """
    return field(default=default, metadata={OMIT: True})


@dataclass(frozen=True, kw_only=True)
class Record:
    """Base of all that is stored as a JSON object.

    `absent` names the optional fields that the file omitted (None: not read from a file), `more` has further fields of
    the file. CONTRACT is the value of the field `contract` in files that have one.
    """

    CONTRACT: ClassVar[str | None] = None
    absent: frozenset[str] | None = field(default=None, repr=False, compare=False)
    more: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, value: Mapping[str, object]) -> Self:
        """Parses a value that is valid by its schema. KeyError or TypeError where a required field is missing."""
        readers = _readers(cls)  # type: ignore[arg-type]  # every class is hashable
        known = {name: read(value[name]) for name, read in readers.items() if name in value}
        more = {name: item for name, item in value.items() if name not in readers and name != "contract"}
        return cls(**known, absent=frozenset(readers) - known.keys(), more=more)

    def as_json(self) -> dict[str, Any]:
        """Returns the JSON object; omitted optional fields stay omitted unless they now differ from their default."""
        claimed = {} if self.CONTRACT is None else {"contract": self.CONTRACT}
        return {**claimed, **dict(self._written()), **self.more}

    def _written(self) -> Iterator[tuple[str, Any]]:
        for declared in _written_fields(type(self)):
            value = getattr(self, declared.name)
            left_out = OMIT in declared.metadata if self.absent is None else declared.name in self.absent
            if not left_out or value != _default(declared):
                yield declared.name, _plain(value)


def _written_fields(cls: type[Record]) -> list[Field[Any]]:
    return [declared for declared in fields(cls) if declared.name not in ("absent", "more")]


def _default(declared: Field[Any]) -> Any:
    return declared.default if declared.default_factory is MISSING else declared.default_factory()


@cache
def _readers(cls: Any) -> Mapping[str, Callable[[Any], Any]]:
    hints = get_type_hints(cls)
    return {declared.name: _reader(hints[declared.name]) for declared in _written_fields(cls)}


def _reader(hint: Any) -> Callable[[Any], Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint.of
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    if origin in (Union, UnionType):
        read = _reader(next(argument for argument in arguments if argument is not type(None)))
        return lambda value: None if value is None else read(value)
    if origin is tuple:
        each = _reader(arguments[0])
        return lambda value: tuple(each(item) for item in value)
    if origin is Mapping and _reader(arguments[1]) is not _same:
        each = _reader(arguments[1])
        return lambda value: {name: each(item) for name, item in value.items()}
    return _same


def _same(value: Any) -> Any:
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.as_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return str(value) if isinstance(value, StrEnum) else value
