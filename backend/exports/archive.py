"""Writes the zip file of an export from a snapshot, its result and the frozen study."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any

from analysis.blinding import in_field
from analysis.computing.in_depth import done_of, found_of
from analysis.models import InDepthResult, Result, ResultOrigin
from analysis.showing.answers import answers_of
from analysis.showing.departures import departures_of, unchanged_since
from analysis.showing.in_depth import all_answers
from analysis.snapshots.columns import FILES, SESSIONS_FILE, VERDICTS_FILE
from analysis.snapshots.counted import counted_plays, counted_votes, demographics_of
from analysis.snapshots.files import checked_columns, checked_file
from analysis.snapshots.parquet import count_rows
from exports.clips import CLIPS_CSV, clip_columns, clip_rows
from exports.conformance import CONFORMANCE_FILE, FUNNEL_FILE, conformance_csv, funnel_csv, with_not_asked
from exports.data_dictionary import HEADER, PLAYS_CSV, Described, dictionary
from exports.figures import figure_files
from exports.in_depth import in_depth_columns, in_depth_files
from exports.package import DATAPACKAGE_JSON, MANIFEST_JSON, datapackage, manifest
from exports.readme import readme
from exports.sessions import SESSIONS_CSV, session_columns, session_rows
from exports.sureal import SUREAL_JSON, sureal_dataset
from eyelevel_core.contracts import short
from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.tables import Column, csv_text
from eyelevel_stats.conformance.accounting import COUNTS
from eyelevel_stats.demographics import DEMOGRAPHICS
from eyelevel_stats.departures import DEPARTURES
from eyelevel_stats.tables import TABLES

# no file contains the time of packing: the same snapshot and method give the same bytes as long as departures, tables
# in depth and the state of the links stay the same
ZIP_TIME = (1980, 1, 1, 0, 0, 0)

# of so many files the tables are written (None: nobody knows of how many), then so many bytes of all are packed
Advance = Callable[[int, int | None], None]


def write_archive(result: Result, out: IO[bytes], *, advance: Advance = lambda _done, _of: None) -> None:
    """Write the archive; raises DamagedSnapshotError before the first byte is written, and what `advance` raises."""
    files = _files(result, advance)
    done, of = 0, sum(map(len, files.values()))
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            advance(done, of)
            archive.writestr(_entry(name), data)
            done += len(data)


def _files(result: Result, advance: Advance) -> dict[str, bytes]:
    """Every file by its name; the manifest, which names all others, is the last one."""
    snapshot = result.snapshot
    collecting = in_field(snapshot.study)
    # those of a study that was closed and opened again stay in the platform until it closes
    deep = None if collecting else done_of(result)
    described = dictionary(snapshot.study.design) + ([] if deep is None else list(in_depth_columns(deep)))
    files: dict[str, bytes] = {}
    for name, text in _texts(result, described, deep, collecting=collecting):
        files[name] = text.encode()
        advance(len(files), None)
    rows = {name: _rows_in(data) for name, data in files.items() if name.endswith(".csv")}
    for name in FILES:
        with checked_file(snapshot, name) as path:
            files[name], rows[name] = path.read_bytes(), count_rows(path)
    files[DATAPACKAGE_JSON] = _json(datapackage(result, files, rows, described)).encode()
    files[MANIFEST_JSON] = _json(manifest(result, files, rows, collecting=collecting)).encode()
    return files


def _texts(
    result: Result, described: Sequence[Described], deep: InDepthResult | None, *, collecting: bool
) -> Iterator[tuple[str, str]]:
    snapshot, answers = result.snapshot, answers_of(result, collecting=collecting)
    origin, design = ResultOrigin(result.origin), snapshot.study.design
    votes, plays = counted_votes(snapshot, origin), counted_plays(snapshot, origin)
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
    yield "votes.csv", _csv(export_columns(), votes)
    yield PLAYS_CSV, _csv(play_columns(), plays)
    yield SESSIONS_CSV, _rows_csv(session_columns(design), session_rows(sessions, verdicts, votes, plays, design))
    yield CLIPS_CSV, _rows_csv(clip_columns(), clip_rows(snapshot.study))
    yield COUNTS.file, COUNTS.csv(COUNTS.row(**row) for row in result.counts)
    yield DEPARTURES.file, DEPARTURES.csv(departed)
    yield DEMOGRAPHICS.file, DEMOGRAPHICS.csv(demographics_of(snapshot, design, set(votes["session_id"])))
    answered = {
        "hypotheses": all_answers(design.plan, answers, found_of(result), collecting=collecting),
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


def _rows_in(data: bytes) -> int:
    """Rows of a CSV file without its header."""
    return sum(1 for _ in csv.reader(io.StringIO(data.decode(), newline=""))) - 1


def _rows_csv(columns: Sequence[Column], rows: Iterable[dict[str, Any]]) -> str:
    names = [column.name for column in columns]
    return csv_text(names, ([_written(row.get(name)) for name in names] for row in rows))


def _csv(columns: Sequence[Column], values: dict[str, list[Any]]) -> str:
    """A file with the columns of a contract, in their order."""
    names = [column.name for column in columns]
    return csv_text(names, zip(*(map(_written, values[name]) for name in names), strict=True))


def _written(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if hasattr(value, "isoformat") else value


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ZIP_TIME)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
