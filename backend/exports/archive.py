"""Writes the zip file of an export from a snapshot, its result and the frozen study."""

import zipfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from analysis.columns import FILES, VERDICTS_FILE
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.parquet import read_columns
from analysis.results import checked_file, counted_plays, counted_votes
from exports.conformance import CONFORMANCE_FILE, FUNNEL_FILE, conformance_csv, funnel_csv
from exports.data_dictionary import COUNTS_FILE, HEADER, PLAYS_CSV, dictionary
from exports.readme import readme
from eyelevel_core.contracts.columns import Column, export_columns, play_columns
from eyelevel_stats.conformance.accounting import COLUMNS as COUNT_COLUMNS
from eyelevel_stats.tables import TABLES, csv_text

# no file contains the time of packing, so that the same snapshot and method give the same bytes
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def write_archive(result: Result, out: IO[bytes]) -> None:
    """Write the archive; raises DamagedSnapshotError before the first byte is written."""
    snapshot = result.snapshot
    parquet = {name: checked_file(snapshot, name) for name in FILES}
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, text in _texts(result, snapshot):
            archive.writestr(_entry(name), text)
        for name, path in parquet.items():
            archive.writestr(_entry(name), path.read_bytes())


def _texts(result: Result, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    origin, design = ResultOrigin(result.origin), snapshot.study.design
    yield "README.txt", readme(result)
    yield "votes.csv", _csv(export_columns(), counted_votes(snapshot, origin))
    yield PLAYS_CSV, _csv(play_columns(), counted_plays(snapshot, origin))
    yield COUNTS_FILE, csv_text(list(COUNT_COLUMNS), ([row[name] for name in COUNT_COLUMNS] for row in result.counts))
    for name in TABLES:
        yield name, _table_csv(name, result.tables[name.removesuffix(".csv")])
    verdicts = read_columns(checked_file(snapshot, VERDICTS_FILE))
    yield CONFORMANCE_FILE, conformance_csv(verdicts, design=design)
    yield FUNNEL_FILE, funnel_csv(verdicts, design=design, origin=origin)
    yield "data-dictionary.csv", csv_text(HEADER, dictionary())
    yield "study.json", snapshot.study.frozen_text
    yield "snapshot.json", snapshot.manifest_text


def _csv(columns: Sequence[Column], values: dict[str, list[Any]]) -> str:
    """A file with the columns of a contract, in their order."""
    names = [column.name for column in columns]
    return csv_text(names, zip(*(map(_written, values[name]) for name in names), strict=True))


def _written(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if hasattr(value, "isoformat") else value


def _table_csv(name: str, rows: list[dict[str, Any]]) -> str:
    header = [column for file, column, *_ in dictionary() if file == name]
    return csv_text(header, ([row[column] for column in header] for row in rows))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ZIP_TIME)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
