"""Reading and writing Parquet; the same rows give the same bytes."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from eyelevel_core.tables import Column, ColumnType

# Turning rows into Python values holds Python's lock: 20 ms for so many, and 2 s for 100,000, in which a web process
# that makes an export would answer nobody
PIECE_ROWS = 1000
TYPES: dict[ColumnType, pa.DataType] = {
    "uuid": pa.string(),
    "sha256": pa.string(),
    "string": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "datetime": pa.timestamp("us", tz="UTC"),
}


def parquet_bytes(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> bytes:
    """Descriptions and units go along in each field's metadata; no time and no machine does."""
    fields = [pa.field(column.name, TYPES[column.type], metadata=_metadata(column)) for column in columns]
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    arrays = [pa.array(own, field.type) for own, field in zip(values, fields, strict=True)]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), out, compression="zstd")
    return out.getvalue()


def read_columns(path: Path, *, names: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Each column by its name, or only these; None where unknown."""
    table = pq.read_table(path, columns=None if names is None else list(names))
    found: dict[str, list[Any]] = {name: [] for name in table.column_names}
    for piece in table.to_batches(max_chunksize=PIECE_ROWS):
        for name, values in piece.to_pydict().items():
            found[name] += values
    return found


def count_rows(path: Path) -> int:
    """How many rows a file has, by its footer."""
    found: int = pq.read_metadata(path).num_rows
    return found


def _metadata(column: Column) -> dict[str, str]:
    return {"description": column.description} | ({"unit": column.unit} if column.unit else {})
