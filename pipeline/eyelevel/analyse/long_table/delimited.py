"""Reader of delimited text files: CSV with commas, semicolons, tabs or bars, plain or compressed by gzip."""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from rich.console import Console
from rich.progress import wrap_file

from eyelevel.analyse.long_table.figures import number
from eyelevel.analyse.long_table.roles import LONG
from eyelevel.analyse.long_table.wording import is_missing, no_figure
from eyelevel.errors import BadInputError
from eyelevel_core.characters import difference, looks_like_utf16, tidy, visible
from eyelevel_core.suggestions import closest

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
GZIP = b"\x1f\x8b"
# formats that users give instead of CSV, by the first bytes of their files
OTHERS = {
    b"PK\x03\x04": "a spreadsheet or a zip",
    b"PAR1": "a Parquet file",
    b"\xd0\xcf\x11\xe0": "a spreadsheet",
    b"\xff\xfe\x00\x00": "UTF-32 text",
    b"\x00\x00\xfe\xff": "UTF-32 text",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"\xfd7zX": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"BZh": "compressed by bzip2",
    b"$FL": "an SPSS file",
    b"{": "JSON",
    b"[": "JSON",
    b"<": "HTML or XML",
}
# a table with so many figures in its first row may be wide
WIDE = 5
SHOWN = 20
# a header in quotes may have so many lines, else a quote is not closed
MOST_HEADER_LINES = 50
# columns that a table of means has instead of single votes
MEANS = frozenset({"mos", "dmos", "mean", "mean_score", "average", "std", "stddev", "stdev", "sd", "ci", "ci95"})
NO_HEADER = "Its first line seems to be a vote; write a line with the names of the columns above it."
# joins the cells of a role that is given several columns
PLUS = "+"
# Excel's first line that says how cells are separated
_SEP = re.compile(r"\"?sep=.\"?\s*", re.IGNORECASE)
_IMPORT_ID = re.compile(r"""\s*\{\s*['"]ImportId['"]""")
# rows below the header that may be headings, as in exports of Qualtrics
_MOST_HEADINGS = 2
# bytes of a file by which its encoding is recognised
_START = 400


@dataclass
class Delimited:
    """An open table; `rows` yields the cells of each row that is not empty, and `line` is the line in which it ended.

    `joined` are places of columns whose cells are joined to a further column, named `A+B`; these columns are last.
    """

    source: str
    names: tuple[str, ...]
    delimiter: str
    _lines: Iterator[str] = field(repr=False)
    # lines before those that the reader sees
    _before: int = 1
    line: int = 1
    joined: Sequence[Sequence[int]] = ()
    notices: list[str] = field(default_factory=list)

    @property
    def decimal_comma(self) -> bool:
        """Whether numbers may have a decimal comma: only if commas do not separate cells."""
        return self.delimiter != ","

    def rows(self) -> Iterator[list[str]]:
        """Yields the rows; raises BadInputError unless a row has one cell per column. Ignores empty cells at the end.

        Headings below the header, as in exports of Qualtrics, are skipped with a notice.
        """
        reader = csv.reader(self._lines, delimiter=self.delimiter, strict=True)
        width = self._width
        try:
            for cells, line in self._without_headings(reader):
                self.line = line
                if not any(cells) or (len(cells) != width and not any(cell.strip() for cell in cells)):
                    continue
                if len(cells) < width or any(cell.strip() for cell in cells[width:]):
                    raise self.error(self._uneven(len(cells)))
                yield [*cells[:width], *(self._join(cells, places) for places in self.joined)] if self.joined else cells
        except csv.Error as error:
            line = self._before + reader.line_num
            raise BadInputError(f"{self.source}, line {line}: not CSV ({error}); correct the quotes.") from error

    def _without_headings(self, reader: Any) -> Iterator[tuple[list[str], int]]:
        """Rows with the line where each ends; not those up to one whose cells are ids of Qualtrics."""
        first = [(cells, self._before + reader.line_num) for cells in islice(reader, _MOST_HEADINGS)]
        for rows, (cells, line) in enumerate(first, start=1):
            if any(cells) and all(_IMPORT_ID.match(cell) for cell in cells if cell.strip()):
                self.notices.append(
                    f"Lines {self._before + 1} to {line} of {self.source} are headings of Qualtrics, and were left out."
                )
                first = first[rows:]
                break
        yield from first
        yield from ((cells, self._before + reader.line_num) for cells in reader)

    @property
    def _width(self) -> int:
        return len(self.names) - len(self.joined)

    @staticmethod
    def _join(cells: Sequence[str], places: Sequence[int]) -> str:
        """Empty where one of the cells is missing."""
        parts = [cells[place].strip() for place in places]
        return "" if any(is_missing(part) for part in parts) else PLUS.join(parts)

    def error(self, message: str) -> BadInputError:
        """Returns an error about the row that was read last."""
        return BadInputError(f"{self.source}, line {self.line}: {message}")

    def places(self, roles: Sequence[str]) -> list[int]:
        """Returns the places of columns; raises BadInputError, listing all columns, if one does not exist."""
        for name in roles:
            if name not in self.names:
                raise BadInputError(self._missing(name))
        return [self.names.index(name) for name in roles]

    def _missing(self, name: str) -> str:
        meant = closest(name, self.names)
        listed = ", ".join(self.names[:SHOWN]) + (
            f" and {len(self.names) - SHOWN} more" if len(self.names) > SHOWN else ""
        )
        message = f"{self.source} has no column {name!r}; its columns are {listed}."
        if meant is not None:
            message += f" Did you mean {meant!r}?"
        if len(self.names) == 1 and name in self.names[0].split():
            return f"{message} Spaces seem to separate its cells; write it with commas or tabs."
        if means := [column for column in self.names if column.casefold() in MEANS]:
            message += f" It seems to have means of stimuli ({means[0]}); single votes are needed, one per row."
        if self._wide():
            message += (
                f" The table looks wide, with a column per stimulus or participant. {LONG} Reshape it first "
                "(melt in pandas, pivot_longer in R)."
            )
        elif any(number(cell, comma=False) is not None for cell in self.names):
            message += f" {NO_HEADER}"
        return message

    def _wide(self) -> bool:
        """Whether most cells of the first row are figures, as where each stimulus or participant has a column."""
        first = next(self.rows(), [])
        figures = [cell for cell in first if no_figure(cell) or number(cell, comma=self.decimal_comma) is not None]
        return len(figures) >= WIDE and 2 * len(figures) > len(first)

    def _uneven(self, cells: int) -> str:
        said = f"{cells} cell{'' if cells == 1 else 's'}, but the header has {self._width}"
        if cells == 1:
            return f"{said}; if the line is a note and not a vote, remove it."
        if cells == self._width + 1 and self.line == self._before + 1:
            return f"{said}; if R wrote the file, write it with row.names = FALSE."
        cure = f"put a text that contains the delimiter {DELIMITERS[self.delimiter]} in quotes"
        decimals = "; if a comma is a decimal comma, separate cells by semicolons" if self.delimiter == "," else ""
        return f"{said}; {cure}{decimals if cells > self._width else ''}."


@contextmanager
def open_delimited(path: Path, *, expected: Collection[str]) -> Iterator[Delimited]:
    """Opens a table and reads its header; chooses the delimiter with which most of the expected columns are found.

    An expected column `A+B` that does not exist joins the cells of A and B. A byte order mark, empty lines above the
    header, and Excel's line `sep=;` are ignored. Shows progress on a terminal. Raises BadInputError if the file is
    missing, of another format, or not UTF-8, and if its header is empty or names a column twice.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise BadInputError(f"{path} {what}; give a CSV file.")
    try:
        with path.open("rb") as raw:
            start = raw.read(_START)
            raw.seek(0)
            for begins, format_ in OTHERS.items():
                if start.startswith(begins):
                    raise BadInputError(f"{path} is {format_}; give it as CSV in UTF-8, plain or compressed by gzip.")
            with _watched(raw, path) as watched, _unpacked(watched, start) as plain:
                buffered = io.BufferedReader(cast(io.RawIOBase, plain))
                if buffered.peek(_START).startswith(GZIP):
                    raise BadInputError(f"{path} is compressed by gzip twice; compress the table once.")
                if looks_like_utf16(buffered.peek(_START)[:_START]):
                    raise BadInputError(f"{path} looks like UTF-16 or UTF-32 text; save it as CSV in UTF-8.")
                yield _delimited(str(path), io.TextIOWrapper(buffered, encoding="utf-8-sig", newline=""), expected)
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text ({error.reason}); save it as CSV in UTF-8.") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        what = "is truncated" if isinstance(error, EOFError) else "is damaged"
        raise BadInputError(f"{path} {what}, so gzip cannot unpack it; compress the table again.") from error


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
    head, before = _head(source, lines)
    names_by = {delimiter: _names(head, delimiter) for delimiter in DELIMITERS}
    wanted = {part for name in expected for part in (name, *parts_of(name))}
    best = max(names_by, key=lambda delimiter: (len(wanted & set(names_by[delimiter])), len(names_by[delimiter])))
    names = names_by[best]
    if not any(names):
        raise BadInputError(f"{source} is empty; the first line must name the columns.")
    _check_names(source, _cells(head, best))
    further = [name for name in dict.fromkeys(expected) if name not in names and set(parts_of(name)) <= set(names)]
    joined = [[names.index(part) for part in parts_of(name)] for name in further if parts_of(name)]
    all_names = (*names, *(name for name in further if parts_of(name)))
    return Delimited(source, all_names, best, lines, before, before, joined)


def parts_of(name: str) -> tuple[str, ...]:
    """Returns the columns whose cells `A+B` joins; empty for any other name."""
    parts = tuple(part.strip() for part in name.split(PLUS))
    return parts if len(parts) > 1 and all(parts) else ()


def _head(source: str, lines: Iterable[str]) -> tuple[str, int]:
    """The first row, which may have line breaks in quotes, and the number of lines up to its end."""
    head: list[str] = []
    before = quotes = 0
    for line in lines:
        before += 1
        if not head and (not line.strip(" \t\r\n,;|") or _SEP.fullmatch(line)):
            continue
        head.append(line)
        quotes += line.count('"')
        if quotes % 2 == 0:
            break
        if len(head) == MOST_HEADER_LINES:
            break
    if quotes % 2:
        raise BadInputError(f"{source}, line {before - len(head) + 1}: the header has a quote that is not closed.")
    return "".join(head), before


def _names(head: str, delimiter: str) -> tuple[str, ...]:
    return tuple(tidy(name) for name in _cells(head, delimiter))


def _cells(head: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return []


def _check_names(source: str, cells: Iterable[str]) -> None:
    """Raise BadInputError if two columns have names that look the same."""
    first: dict[str, str] = {}
    for cell in cells:
        name = visible(cell)
        before = first.get(name)
        first[name] = cell
        if before is not None and name:
            hint = f" {NO_HEADER}" if number(name, comma=False) is not None else ""
            apart = "" if before == cell else difference(before, cell)
            raise BadInputError(f"{source} has two columns named {name!r}{apart}; rename one of them.{hint}")
