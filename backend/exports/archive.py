"""Writes the zip file of an export from a snapshot, its result and the frozen study."""

import csv
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from analysis.blinding import in_field
from analysis.computing.in_depth import done_of, in_depth_of
from analysis.models import InDepthResult, Result, ResultOrigin, Snapshot
from analysis.showing.answers import answers_of
from analysis.showing.departures import departures_of, unchanged_since
from analysis.showing.in_depth import all_answers
from analysis.snapshots.columns import PARTS, PLAYS, SESSIONS_FILE, VERDICTS_FILE, VOTES
from analysis.snapshots.counted import counted_batches, counted_plays, counted_votes, demographics_of
from analysis.snapshots.files import checked_columns, checked_file, checked_files, fetched_once
from analysis.snapshots.parquet import count_rows
from exports.clips import CLIPS_CSV, clip_columns, clip_rows
from exports.conformance import CONFORMANCE_FILE, FUNNEL_FILE, conformance_csv, funnel_csv, with_not_asked
from exports.csv_of_batch import csv_of_batch
from exports.data_dictionary import HEADER, PLAYS_CSV, Described, dictionary
from exports.figures import figure_files
from exports.in_depth import in_depth_columns, in_depth_files
from exports.package import DATAPACKAGE_JSON, MANIFEST_JSON, Facts, datapackage, manifest
from exports.readme import readme
from exports.sessions import OF_PLAYS, OF_VOTES, SESSIONS_CSV, session_columns, session_rows
from exports.sureal import OF_RATINGS, SUREAL_JSON, sureal_dataset
from eyelevel_core.contracts import sha256_of_bytes, sha256_of_file, short
from eyelevel_core.tables import Column, csv_text
from eyelevel_stats.conformance.accounting import COUNTS
from eyelevel_stats.demographics import DEMOGRAPHICS
from eyelevel_stats.departures import DEPARTURES
from eyelevel_stats.tables import TABLES

# no file contains the time of packing, so the same snapshot and method give the same bytes as long as departures,
# tables in depth and the state of the links do not change
COPY_BYTES = 1 << 20
ZIP_TIME = (1980, 1, 1, 0, 0, 0)

# receives the number of rows of votes and plays that are done, and their total; the other files are small
Advance = Callable[[int, int], None]


def write_archive(result: Result, out: IO[bytes], *, advance: Advance = lambda _done, _of: None) -> None:
    """Write the archive; tables of votes and plays are written in pieces, and never in memory as a whole.

    Raises DamagedSnapshotError, and any exception of `advance`; `out` is not a valid archive then.
    """
    snapshot = result.snapshot
    collecting = in_field(snapshot.study)
    # tables in depth of a study that was closed and opened again are not exported until it closes
    deep = None if collecting else done_of(result)
    described = dictionary(snapshot.study.design) + ([] if deep is None else list(in_depth_columns(deep)))
    with fetched_once(), zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        packed = Packed(archive, _rows_of(snapshot), advance)
        for name, text in _texts(result, described, deep, collecting=collecting):
            if isinstance(text, str):
                packed.add(name, text.encode(), rows=_rows_in(text) if name.endswith(".csv") else None)
            else:
                packed.add_table(name, text)
        for name in snapshot.manifest["files"]:
            with checked_file(snapshot, name) as path:
                packed.add_file(name, path, rows=count_rows(path))
        packed.add(DATAPACKAGE_JSON, _json(datapackage(result, packed.files, described)).encode())
        # last, because it lists all others
        packed.add(MANIFEST_JSON, _json(manifest(result, packed.files, collecting=collecting)).encode())


class Packed:
    """Adds files to an archive and records their digests; `rows_of` is the number of rows read for each large table."""

    def __init__(self, archive: zipfile.ZipFile, rows_of: Mapping[str, int], advance: Advance) -> None:
        self._archive, self._rows_of, self._advance = archive, rows_of, advance
        self._of, self._done = max(sum(rows_of.values()), 1), 0
        self.files: dict[str, Facts] = {}

    def add(self, name: str, data: bytes, *, rows: int | None = None) -> None:
        self._archive.writestr(_entry(name), data)
        self._add(name, Facts(sha256_of_bytes(data), len(data), rows))

    def add_file(self, name: str, path: Path, *, rows: int) -> None:
        entry = _entry(name)
        entry.file_size = path.stat().st_size
        with path.open("rb") as source, self._archive.open(entry, "w") as target:
            shutil.copyfileobj(source, target, COPY_BYTES)
        self._add(name, Facts(sha256_of_file(path), entry.file_size, rows))

    def add_table(self, name: str, pieces: Iterable[tuple[str, int]]) -> None:
        """Add a CSV file in pieces, each with its number of rows."""
        digest, size, rows = hashlib.sha256(), 0, 0
        # rows of excluded sessions are read, but not written
        end = self._done + self._rows_of[name]
        with self._archive.open(_entry(name), "w", force_zip64=True) as target:
            for text, count in pieces:
                data = text.encode()
                target.write(data)
                digest.update(data)
                size, rows = size + len(data), rows + count
                self._done += count
                self._advance(self._done, self._of)
        self._done = end
        self._add(name, Facts(digest.hexdigest(), size, rows))

    def _add(self, name: str, facts: Facts) -> None:
        self.files[name] = facts
        self._advance(self._done, self._of)


def _rows_of(snapshot: Snapshot) -> dict[str, int]:
    """Number of rows by the name of the table, those of excluded sessions included, which are read and skipped."""
    rows = {}
    for kind in PARTS:
        with checked_files(snapshot, kind) as paths:
            rows[f"{kind}.csv"] = sum(map(count_rows, paths))
    return rows


def _texts(
    result: Result, described: Sequence[Described], deep: InDepthResult | None, *, collecting: bool
) -> Iterator[tuple[str, str | Iterator[tuple[str, int]]]]:
    snapshot, answers = result.snapshot, answers_of(result, collecting=collecting)
    origin, design = ResultOrigin(result.origin), snapshot.study.design
    votes = counted_votes(snapshot, origin, names=(*OF_VOTES, *OF_RATINGS))
    plays = counted_plays(snapshot, origin, names=OF_PLAYS)
    verdicts = with_not_asked(checked_columns(snapshot, VERDICTS_FILE), design)
    sessions = checked_columns(snapshot, SESSIONS_FILE)
    departed = departures_of(snapshot.study, result)
    yield (
        "README.txt",
        readme(
            result,
            in_depth=deep is not None,
            departures=departed,
            departures_since=unchanged_since(snapshot.study, result),
            collecting=collecting,
            look=answers.look,
        ),
    )
    yield "votes.csv", _csv(VOTES, counted_batches(snapshot, VOTES, origin))
    yield PLAYS_CSV, _csv(PLAYS, counted_batches(snapshot, PLAYS, origin))
    yield SESSIONS_CSV, _rows_csv(session_columns(design), session_rows(sessions, verdicts, votes, plays, design))
    yield CLIPS_CSV, _rows_csv(clip_columns(), clip_rows(snapshot.study))
    yield COUNTS.file, COUNTS.csv(COUNTS.row(**row) for row in result.counts)
    yield DEPARTURES.file, DEPARTURES.csv(departed)
    yield DEMOGRAPHICS.file, DEMOGRAPHICS.csv(demographics_of(snapshot, design, set(votes["session_id"])))
    answered = {
        "hypotheses": all_answers(design.plan, answers, in_depth_of(result), collecting=collecting),
        "effects": answers.effects,
    }
    for name, table in TABLES.items():
        rows = answered[name] if name in answered else result.tables[name]
        yield table.file, table.csv(table.row(**row) for row in rows)
    yield from () if deep is None else in_depth_files(deep)
    yield CONFORMANCE_FILE, conformance_csv(verdicts)
    yield FUNNEL_FILE, funnel_csv(verdicts, design=design, origin=origin)
    yield from figure_files(result, deep, verdicts, collecting=collecting)
    yield "data-dictionary.csv", csv_text(HEADER, described)
    yield SUREAL_JSON, _json(sureal_dataset(votes, name=f"{snapshot.study.name} {short(snapshot.sha256)}"))
    yield "study.json", snapshot.study.frozen_text
    yield "snapshot.json", snapshot.manifest_text


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _rows_in(text: str) -> int:
    """Number of rows of a CSV file, without its header."""
    return sum(1 for _ in csv.reader(io.StringIO(text, newline=""))) - 1


def _rows_csv(columns: Sequence[Column], rows: Iterable[dict[str, Any]]) -> str:
    names = [column.name for column in columns]
    return csv_text(names, ([_written(row.get(name)) for name in names] for row in rows))


def _csv(kind: str, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, int]]:
    """Yields pieces of a CSV file with the columns of the contract, in their order, and their numbers of rows."""
    yield csv_text([column.name for column in PARTS[kind]], []), 0
    for batch in batches:
        yield csv_of_batch(batch), batch.num_rows


def _written(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if hasattr(value, "isoformat") else value


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ZIP_TIME)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
