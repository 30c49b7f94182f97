"""Golden test: the tables of results and in depth of a fixed study, what their columns mean, and their digests.

People keep exports, and stored results are computed again when their digest changes. `tables.txt` changes only for a
stated reason, in the same commit. Numbers are rounded, since processors differ in the last digits.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from golden.planted import PLAN, planted

from analysis.models import InDepthResult
from analysis.stored import IN_DEPTH_FIELDS, RESULT_FIELDS
from exports.data_dictionary import HEADER, dictionary
from exports.in_depth import in_depth_columns, in_depth_files
from eyelevel_core.contracts import sha256_of_bytes
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.study.file import read_study_file
from eyelevel_core.tables import csv_text
from eyelevel_stats.in_depth.compute import Completed, in_depth
from eyelevel_stats.result_tables import result_tables
from eyelevel_stats.votes import results_of

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE / "digests.json").read_text())
STUDY = HERE.parents[1] / "fixtures/study-demo.yaml"
SHOWN_ROWS = 3
Columns = dict[str, list[Any]]


@pytest.fixture(scope="module")
def votes() -> Columns:
    """Of every kind and role that a table is about."""
    columns = planted(sites=10, people=6)
    names = [column.name for column in export_columns()]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rated = [row for row in rows if row["trial_kind"] == "rate"]
    rows += [row | {"trial_kind": "slider", "score": None, "value": 10 * row["score"]} for row in rated[::9]]
    rows += [row | {"role": "repeat", "repeats_position": row["position"], "position": 300} for row in rated[::11]]
    for number, row in enumerate(rows):
        row["layout"] = "column" if number % 3 else "row"
    return {name: [row.get(name) for row in rows] for name in names}


def test_the_tables_of_results(votes: Columns) -> None:
    assert lines(result_tables(results_of(votes, PLAN, planned=40))) == golden("results")


def test_the_tables_in_depth(votes: Columns) -> None:
    sessions = {session: {"R3"} if session == "p01" else set() for session in votes["session_id"]}
    found = in_depth(votes, PLAN, completed=Completed(votes, sessions, {"R3"}))
    stored = InDepthResult(
        tables={name: [list(vars(row).values()) for row in rows] for name, rows in found.tables.items()}
    )
    assert lines(dict(in_depth_files(stored))) == golden("in depth")
    design = read_study_file(STUDY.read_text(), source=STUDY.name).design
    described = dictionary(design) + list(in_depth_columns(stored))
    by_file: dict[str, list[Sequence[Any]]] = {}
    for row in described:
        by_file.setdefault(row[0], []).append(row)
    digests = {file: sha256_of_bytes(csv_text(HEADER, rows).encode())[:16] for file, rows in by_file.items()}
    assert digests == GOLDEN["data_dictionary"]


def test_the_digests_of_stored_fields() -> None:
    assert GOLDEN["stored_fields"] == {"results": RESULT_FIELDS, "in_depth": IN_DEPTH_FIELDS}


def golden(part: str) -> list[str]:
    text = (HERE / "tables.txt").read_text()
    return next(section for section in text.split("## ") if section.startswith(f"{part}\n")).splitlines()[1:]


def lines(files: dict[str, str]) -> list[str]:
    return [line for name, text in files.items() for line in (f"{name}", *_short(text))]


def _short(text: str) -> Iterator[str]:
    header, *rows = text.splitlines()
    yield header
    yield from (",".join(map(_rounded, row.split(","))) for row in rows[:SHOWN_ROWS])
    yield f"({len(rows)} rows)"


def _rounded(cell: str) -> str:
    try:
        number = float(cell)
    except ValueError:
        return cell
    return f"{0 if abs(number) < 1e-9 else number:.6g}"
