"""Opens a delimited text file: CSV with commas, semicolons, tabs or bars, plain or compressed by gzip."""

import csv
import gzip
import io
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import IO, BinaryIO, cast

from rich.console import Console
from rich.progress import wrap_file

from eyelevel.analyse.long_table.roles import LONG
from eyelevel.analyse.long_table.wording import is_missing
from eyelevel.errors import BadInputError

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
GZIP = b"\x1f\x8b"
# formats that people give in the place of CSV, by how their files begin
OTHERS = {
    b"PK\x03\x04": "a spreadsheet or a zip",
    b"PAR1": "a Parquet file",
    b"\xd0\xcf\x11\xe0": "a spreadsheet",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}
# a table with so many figures in its first row may be wide
WIDE = 5
SHOWN = 20


@dataclass
class Delimited:
    """An open table; `rows` gives the cells of each row that is not empty, and `line` is where the last one ended."""

    source: str
    names: tuple[str, ...]
    delimiter: str
    _lines: Iterator[str] = field(repr=False)
    # lines before those that the reader sees
    _before: int = 1
    line: int = 1

    @property
    def decimal_comma(self) -> bool:
        """Whether figures may have a comma: only where it does not separate cells already, as in Excel's CSV."""
        return self.delimiter == ";"

    def rows(self) -> Iterator[list[str]]:
        """Raise BadInputError where a row has other than a cell per column; empty cells at its end are ignored."""
        reader = csv.reader(self._lines, delimiter=self.delimiter, strict=True)
        width = len(self.names)
        try:
            for cells in reader:
                self.line = self._before + reader.line_num
                if not any(cells) or (len(cells) != width and not any(cell.strip() for cell in cells)):
                    continue
                if len(cells) < width or any(cell.strip() for cell in cells[width:]):
                    raise self.error(self._uneven(len(cells)))
                yield cells
        except csv.Error as error:
            line = self._before + reader.line_num
            raise BadInputError(f"{self.source}, line {line}: not CSV ({error}); correct the quotes.") from error

    def error(self, said: str) -> BadInputError:
        """An error about the row that was read last."""
        return BadInputError(f"{self.source}, line {self.line}: {said}")

    def places(self, roles: Sequence[str]) -> list[int]:
        """The places of columns; raise BadInputError for one that does not exist, with those that do."""
        for name in roles:
            if name not in self.names:
                raise BadInputError(self._missing(name))
        return [self.names.index(name) for name in roles]

    def _missing(self, name: str) -> str:
        close = get_close_matches(name.casefold(), [one.casefold() for one in self.names], n=1)
        meant = [one for one in self.names if close and one.casefold() == close[0]]
        listed = ", ".join(self.names[:SHOWN]) + (
            f" and {len(self.names) - SHOWN} more" if len(self.names) > SHOWN else ""
        )
        said = f"{self.source} has no column {name!r}; its columns are {listed}."
        if meant:
            said += f" Did you mean {meant[0]!r}?"
        if self._wide():
            said += (
                f" The table looks wide, with a column per stimulus or participant. {LONG} Reshape it first "
                "(melt in pandas, pivot_longer in R)."
            )
        return said

    def _wide(self) -> bool:
        """Whether most cells of the first row are figures, as where each stimulus or participant has a column."""
        first = next(self.rows(), [])
        figures = [cell for cell in first if is_missing(cell) or number(cell, comma=self.decimal_comma) is not None]
        return len(figures) >= WIDE and 2 * len(figures) > len(first)

    def _uneven(self, cells: int) -> str:
        said = f"{cells} cells, but the header has {len(self.names)}"
        if cells == len(self.names) + 1 and self.line == self._before + 1:
            return f"{said}; if R wrote the file, write it with row.names = FALSE."
        return f"{said}; put a text that contains the delimiter {DELIMITERS[self.delimiter]} in quotes."


@contextmanager
def open_delimited(path: Path, *, expected: Collection[str]) -> Iterator[Delimited]:
    """An open table with its header read; the delimiter is the one that finds most of the expected columns.

    A byte order mark is ignored. Shows progress on a terminal. Raise BadInputError where the file is missing, of
    another format, or not UTF-8, and where its header is empty or names a column twice.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise BadInputError(f"{path} {what}; give a CSV file.")
    try:
        with path.open("rb") as raw:
            start = raw.read(4)
            raw.seek(0)
            for begins, format_ in OTHERS.items():
                if start.startswith(begins):
                    raise BadInputError(f"{path} is {format_}; save it as CSV in UTF-8.")
            with _watched(raw, path) as watched, _unpacked(watched, start) as plain:
                yield _delimited(str(path), io.TextIOWrapper(plain, encoding="utf-8-sig", newline=""), expected)
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text ({error.reason}); save it as CSV in UTF-8.") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BadInputError(f"{path} is a damaged gzip file ({error}); compress the table again.") from error


def number(text: str, *, comma: bool) -> float | None:
    """The figure in a cell, with a decimal comma if allowed; None where it is none."""
    try:
        return float(text.replace(",", ".") if comma else text) if "_" not in text else None
    except ValueError:
        return None


@contextmanager
def _watched(raw: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    console = Console(stderr=True)
    size = path.stat().st_size
    with wrap_file(
        raw, size, description=f"reading {path.name}", console=console, transient=True, disable=not console.is_terminal
    ) as watched:
        yield watched


@contextmanager
def _unpacked(raw: BinaryIO, start: bytes) -> Iterator[IO[bytes]]:
    if start.startswith(GZIP):
        with gzip.open(raw) as unpacked:
            yield cast(IO[bytes], unpacked)
    else:
        yield raw


def _delimited(source: str, lines: IO[str], expected: Collection[str]) -> Delimited:
    head, before = "", 0
    for line in lines:
        head, before = head + line, before + 1
        # a name in quotes may contain a line break
        if head.strip() and head.count('"') % 2 == 0:
            break
    found = {delimiter: _names(head, delimiter) for delimiter in DELIMITERS}
    best = max(found, key=lambda one: (len(set(expected) & set(found[one])), len(found[one])))
    names = found[best]
    if not any(names):
        raise BadInputError(f"{source} is empty; the first line must name the columns.")
    if twice := [name for name in names if name and names.count(name) > 1]:
        raise BadInputError(f"{source} has two columns named {twice[0]!r}; rename one of them.")
    return Delimited(source, names, best, lines, before, before)


def _names(head: str, delimiter: str) -> tuple[str, ...]:
    try:
        return tuple(name.strip() for name in next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), []))
    except csv.Error:
        return ()
