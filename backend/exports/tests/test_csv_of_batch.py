from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from exports.csv_of_batch import csv_of_batch
from eyelevel_core.tables import csv_rows

TEXTS = ["plain", "", None, "a,b", 'say "a"', "two\r\nlines", "=1+1", "-5", "@x", "\ttab", "a\tb", "é ü 漢", "'"]
NUMBERS = [1.0, 0.1, 1e22, 1e-7, -0.0, float("inf"), None, 123456789.123, 5e-324, 3550.0, 2.5, 0.30000000000000004, 1.0]
MOMENTS = [datetime(2026, 1, 2, 3, 4, 5, micro, UTC) for micro in (0, 1, 120_000, 999_999)] * 3 + [None]
COLUMNS: dict[str, tuple[list[Any], pa.DataType]] = {
    "text": (TEXTS, pa.string()),
    "repeated": (["DSL", "LTE"] * 6 + [None], pa.string()),
    "whole": ([1, None, -(2**53), *range(10)], pa.int64()),
    "number": (NUMBERS, pa.float64()),
    "moment": (MOMENTS, pa.timestamp("us", tz="UTC")),
    "nothing": ([None] * 13, pa.float64()),
}


def iso(value: Any) -> Any:
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


def as_rows(values: list[list[Any]]) -> str:
    return csv_rows(tuple(map(iso, row)) for row in zip(*values, strict=True))


@pytest.mark.parametrize("encoded", [False, True])
def test_a_batch_is_written_as_its_rows_are(encoded: bool) -> None:
    arrays = [pa.array(values, of_type) for values, of_type in COLUMNS.values()]
    if encoded:
        arrays = [array.dictionary_encode() if array.type == pa.string() else array for array in arrays]
    batch = pa.RecordBatch.from_arrays(arrays, list(COLUMNS))
    assert csv_of_batch(batch) == as_rows([values for values, _ in COLUMNS.values()])


@pytest.mark.parametrize("text", [text for text in TEXTS if text is not None])
def test_each_text_is_written_as_alone(text: str) -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([text, text]), pa.array([1, 2])], ["text", "number"])
    assert csv_of_batch(batch) == csv_rows([(text, 1), (text, 2)])


def test_no_rows_are_no_lines() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([], pa.string()), pa.array([], pa.int64())], ["text", "number"])
    assert csv_of_batch(batch) == ""
