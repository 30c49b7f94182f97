"""Tables of results: a row type declares each column once, and everything that shows a table derives from it.

    @dataclass(frozen=True)
    class MosRow:
        site: str = column("site of the stimulus", "Website des Stimulus")
        mos: float = column("mean opinion score", "mittlere Bewertung", head="MOS")
        ci_low: float | None = column("lower end of the 95 % interval", "untere Grenze ...", until="ci_high")
        ci_high: float | None = column("upper end of the same interval", "obere Grenze desselben Intervalls")

    MOS = Table("mos", "MOS of each condition", "Mittlere Bewertung jeder Bedingung", MosRow)

From MOS come the CSV file, its rows of the data dictionary, the digest of its columns, the bodies of the API, the
table of HTML reports and the one on the researcher's page.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from inspect import get_annotations
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from eyelevel_core.titles import GERMAN

ColumnType = Literal["uuid", "sha256", "string", "boolean", "integer", "number", "datetime"]
# how a page writes a value; `hidden` columns are in files only; `group` is the key of a group, shown by its label
Format = Literal[
    "text", "group", "count", "decimal", "precise", "share", "percent", "ms", "signed_ms", "p", "metric", "hidden"
]  # fmt: skip
Language = Literal["en", "de"]
# what pages show for a value, in English and German
Words = Mapping[str, tuple[str, str]]

_COLUMN, _COLUMNS, _PART = "column", "columns", "part"
_TYPES: Mapping[type, ColumnType] = {str: "string", bool: "boolean", int: "integer", float: "number"}
_FORMATS: Mapping[str, Format] = {"integer": "count", "number": "decimal"}
# signs with which a spreadsheet begins a formula
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Column:
    """A column: its type, unit, meaning, and format on pages.

    `head` is its title on pages; where it is empty, the name with spaces, and the unit ms after a comma. `until` names
    the column with the upper end of the interval whose lower end this column has; pages show both in one cell. Older
    files lack an `optional` column. Pages replace values by their `words`.
    """

    name: str
    type: ColumnType
    unit: str | None
    description: str
    optional: bool = False
    description_de: str = ""
    head: str = ""
    head_de: str = ""
    format: Format = "text"
    until: str | None = None
    words: Words = field(default_factory=dict, hash=False)

    def meaning(self, language: Language) -> str:
        """Returns the description in this language, or else in English."""
        return self.description_de or self.description if language == "de" else self.description

    def title(self, language: Language) -> str:
        """Returns the head; without one, the German title for columns of this name, or the name in words."""
        german = self.head_de or ("" if self.head else GERMAN.get(self.name, ""))
        if language == "de" and german:
            return german
        return self.head or self.name.removesuffix("_ms").replace("_", " ") + ", ms" * self.name.endswith("_ms")

    def worded(self, language: Language) -> dict[str, str]:
        """Returns the words for values, in this language."""
        return {value: german if language == "de" else english for value, (english, german) in self.words.items()}


@dataclass(frozen=True)
class _Declared:
    """The declaration of a column in a field, which itself has name, type and unit."""

    meaning: str
    de: str
    head: str
    head_de: str
    unit: str | None
    holds: ColumnType | None
    shown: Format | None
    until: str | None
    words: Words


def column(
    meaning: str,
    de: str = "",
    *,
    head: str = "",
    head_de: str = "",
    unit: str | None = None,
    holds: ColumnType | None = None,
    shown: Format | None = None,
    until: str | None = None,
    words: Words | None = None,
    default: Any = MISSING,
) -> Any:
    """Declares a field of a row type as a column, with its meaning in English and German.

    The type comes from the annotation: str, bool, int, float, or a literal, or one of these or None; `holds` is the
    type of texts such as times. The unit is ms if the name ends with it. `words` replace values on pages, in English
    and German. `shown` is the format on pages; without it text, whole numbers or two decimals, by type. The meaning is
    also the description in the schema of the API.
    """
    declared = _Declared(meaning, de, head, head_de, unit, holds, shown, until, words or {})
    return field(default=default, metadata={_COLUMN: declared, "description": meaning})


def columns(*declared: Column) -> Any:
    """Declares a field whose value is a mapping by column name: one column for each of these."""
    return field(default_factory=dict, metadata={_COLUMNS: declared})


def part() -> Any:
    """Declares a field that is not a column itself, but has `derived` columns."""
    return field(metadata={_PART: True})


class _Derived:
    """A class attribute that is a column: it reads the attribute at a path below the row, None where a part is None."""

    def __init__(self, path: str, declared: "_Declared") -> None:
        self.path, self.declared = path.split("."), declared

    def __get__(self, row: Any, of: type[Any]) -> Any:
        if row is None:
            return self
        value = row
        for name in self.path:
            value = None if value is None else getattr(value, name)
        return value


def derived(
    path: str,
    meaning: str,
    de: str = "",
    *,
    head: str = "",
    head_de: str = "",
    unit: str | None = None,
    shown: Format | None = None,
    until: str | None = None,
) -> Any:
    """Declares a column that is a part of the row, such as "test.p_value"; its annotation is ClassVar[type].

    It is declared like `column`, and read as an attribute of the row.
    """
    return _Derived(path, _Declared(meaning, de, head, head_de, unit, None, shown, until, {}))


def columns_of(row: type[Any]) -> tuple[Column, ...]:
    """Returns the columns of a row type, in order, a base's first. TypeError if a field declares none."""
    return tuple(column for _, declared, _ in _declarations(row) for column in declared)  # type: ignore[arg-type]  # hashable


@cache
def _declarations(row: type[Any]) -> tuple[tuple[str, Sequence[Column], bool], ...]:
    """Each attribute that has columns, these, and whether its value is a mapping by their names."""
    hints = get_type_hints(row)
    of_field: Mapping[str, Mapping[Any, Any]] = {each.name: each.metadata for each in fields(row)}
    declarations: list[tuple[str, Sequence[Column], bool]] = []
    for name in dict.fromkeys(name for body in reversed(row.__mro__) for name in get_annotations(body)):
        metadata, attribute = of_field.get(name, {}), getattr(row, name, None)
        if isinstance(attribute, _Derived):
            declarations.append((name, [_column(name, attribute.declared, get_args(hints[name])[0])], False))
        elif _COLUMNS in metadata:
            declarations.append((name, metadata[_COLUMNS], True))
        elif _COLUMN in metadata:
            declarations.append((name, [_column(name, metadata[_COLUMN], hints[name])], False))
        elif name in of_field and _PART not in metadata:
            raise TypeError(f"{row.__name__}.{name} declares no column")
    return tuple(declarations)


def _column(name: str, declared: _Declared, hint: Any) -> Column:
    kind = declared.holds or _type_of(hint)
    return Column(
        name,
        kind,
        declared.unit or ("ms" if name.endswith("_ms") else None),
        declared.meaning,
        description_de=declared.de,
        head=declared.head,
        head_de=declared.head_de,
        format=declared.shown or _FORMATS.get(kind, "text"),
        until=declared.until,
        words=declared.words,
    )


def _type_of(hint: Any) -> ColumnType:
    if get_origin(hint) is Literal:
        return _TYPES[type(get_args(hint)[0])]
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (option for option in get_args(hint) if option is not type(None))
        return _type_of(hint)
    return next(name for plain, name in _TYPES.items() if issubclass(hint, plain))


def values_of(row: Any) -> list[Any]:
    """Returns the cells of one row, in the order of `columns_of`; None is unknown."""
    return list(_values(row))


def _values(row: Any) -> Iterator[Any]:
    for name, declared, grouped in _declarations(type(row)):  # type: ignore[arg-type]  # every class is hashable
        value = getattr(row, name)
        if grouped:
            yield from (value.get(column.name) for column in declared)
        else:
            yield value


@dataclass(frozen=True)
class Table:
    """A kind of table: the name of its file, its title in both languages, and the type of its rows.

    `analysis` is the analysis to which several tables belong. `note` is a note for readers.
    """

    name: str
    title: str
    title_de: str
    row: type[Any]
    analysis: str = ""
    note: str = ""
    note_de: str = ""
    left_out: frozenset[str] = frozenset()

    def titled(self, language: Language) -> str:
        return self.title_de if language == "de" else self.title

    def noted(self, language: Language) -> str:
        return self.note_de if language == "de" else self.note

    @property
    def file(self) -> str:
        return f"{self.name}.csv"

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(each for each in columns_of(self.row) if each.name not in self.left_out)

    def without(self, *names: str) -> "Table":
        """Returns the same table without these columns, which are unknown in all of its rows."""
        return replace(self, left_out=self.left_out.union(names))

    def cells(self, rows: Iterable[Any]) -> Iterator[list[Any]]:
        """Yields the cells of each row."""
        shown = [each.name not in self.left_out for each in columns_of(self.row)]
        for row in rows:
            yield [value for value, keep in zip(values_of(row), shown, strict=True) if keep]

    def csv(self, rows: Iterable[Any]) -> str:
        return csv_text([each.name for each in self.columns], self.cells(rows))


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Returns CSV (RFC 4180); None is an empty cell, floats keep every digit, text never starts a formula."""
    return csv_rows([header]) + csv_rows(rows)


def csv_rows(rows: Iterable[Sequence[Any]]) -> str:
    """Returns the same without a header, to append to a file."""
    text = io.StringIO()
    csv.writer(text).writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: Any) -> Any:
    """Returns a value that is safe in a spreadsheet: text that looks like a formula gets an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value


def text_of_cell(written: str) -> str:
    """Returns the original text of a cell that `cell` wrote."""
    return written[1:] if written.startswith("'") and written[1:].startswith(FORMULA) else written
