"""Reduces one part of an export's votes to sums, and writes them."""

import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from eyelevel.analyse.export.integrity import check_export
from eyelevel.analyse.export.reading import VOTES, open_votes_bytes, source_of
from eyelevel.analyse.parts.asked import Part
from eyelevel.errors import BadInputError
from eyelevel_core.contracts import check
from eyelevel_core.contracts.columns import export_columns
from eyelevel_stats.columns import Whose
from eyelevel_stats.parts.reduce import opened, reduce
from eyelevel_stats.parts.sums import Sums
from eyelevel_stats.parts.written import as_json

CONTRACT = "part-sums.1"
MEMORY_MB = 1000
NEEDED = ("session_id", "trial_kind", "site", "network", "context")
# types of columns -> DuckDB's
TYPES = {"integer": "BIGINT", "number": "DOUBLE"}


def reduce_part(export: Path, part: Part, out: Path, *, origin: Whose) -> Path:
    """Writes the sums of this part, for sessions of this origin, into `out`; returns the file.

    Raises BadInputError if `export` is not an export.
    """
    check_export(export)
    with votes_file(export) as votes, TemporaryDirectory() as spill:
        sums = _sums(votes, part, export, spill, origin)
    value = {
        "contract": "eyelevel/part-sums/1",
        "votes_sha256": source_of(export).votes_sha256,
        "origin": origin,
        "part": part.number,
        "of": part.of,
        "sums": as_json(sums),
    }
    check(value, CONTRACT, source=part.file)
    path = out / part.file
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)
    return path


@contextmanager
def votes_file(export: Path) -> Iterator[Path]:
    """Yields the CSV file of the votes, plain or gzip; extracts it from a zip."""
    if export.is_dir():
        yield export / VOTES
    elif zipfile.is_zipfile(export):
        with TemporaryDirectory() as scratch:
            copy = Path(scratch) / VOTES
            with open_votes_bytes(export) as source, copy.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            yield copy
    else:
        yield export


def _sums(votes: Path, part: Part, export: Path, spill: str, origin: Whose) -> Sums:
    with opened(memory_mb=MEMORY_MB, threads=os.cpu_count() or 1, spill_to=spill) as connection:
        try:
            return reduce(connection, _source(connection, votes, export, origin), kept=part.condition)
        except duckdb.Error as error:
            reason = " ".join(str(error).split())[:300]
            raise BadInputError(f"{export} cannot be read as the votes of an export: {reason}") from error
        except ValueError as error:
            raise BadInputError(f"{export}: {error}") from error


def _source(connection: duckdb.DuckDBPyConnection, votes: Path, export: Path, origin: Whose) -> str:
    """Returns the subquery that reads the file: numbers as numbers, the rest as text, empty cells as NULL."""
    name = str(votes).replace("'", "''")
    rows = f"read_csv('{name}', header = true, all_varchar = true)"
    described = connection.execute(f"DESCRIBE SELECT * FROM {rows}")  # noqa: S608 - a file that the user named
    present = [column for column, *_ in described.fetchall()]
    for lacking in (name for name in NEEDED if name not in present):
        raise BadInputError(f"{export} has no column {lacking}; give an export of the platform.")
    types: dict[str, str] = {column.name: column.type for column in export_columns()}
    cast = ", ".join(
        f"CAST({column} AS {TYPES[types[column]]}) AS {column}" if types.get(column) in TYPES else f'"{column}"'
        for column in present
    )
    condition = f"coalesce(origin, 'person') = '{origin}'" if "origin" in present and origin != "all" else "true"
    if "origin" not in present and origin == "simulated":
        condition = "false"
    return f"(SELECT {cast} FROM {rows} WHERE {condition})"  # noqa: S608
