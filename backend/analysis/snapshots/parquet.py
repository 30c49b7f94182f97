"""Reads and writes Parquet files; the same rows give the same bytes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from eyelevel_core.tables import Column, ColumnType

# number of rows that are converted to Python values at a time
PIECE_ROWS = 10_000
GROUP_ROWS = 65_536
TYPES: dict[ColumnType, pa.DataType] = {
    "uuid": pa.string(),
    "sha256": pa.string(),
    "string": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "datetime": pa.timestamp("us", tz="UTC"),
}


def parquet_bytes(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> bytes:
    """The bytes of a Parquet file with these rows."""
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    schema = schema_of(columns)
    arrays = [pa.array(cells, field.type) for cells, field in zip(values, schema, strict=True)]
    out = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), out, compression="zstd")
    data: bytes = out.getvalue().to_pybytes()
    return data


def write_groups(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> int:
    """Write batches of any size as row groups of GROUP_ROWS rows; returns the number of rows."""
    waiting, count, rows = [], 0, 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in batches:
            waiting.append(batch)
            count += batch.num_rows
            rows += batch.num_rows
            if count >= GROUP_ROWS:
                table = pa.Table.from_batches(waiting, schema=schema)
                whole = count - count % GROUP_ROWS
                writer.write_table(table.slice(0, whole), row_group_size=GROUP_ROWS)
                waiting, count = table.slice(whole).to_batches(), count - whole
        if count:
            writer.write_table(pa.Table.from_batches(waiting, schema=schema), row_group_size=GROUP_ROWS)
    return rows


def schema_of(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema, with description and unit in each field's metadata, but no time or machine."""
    return pa.schema([pa.field(column.name, TYPES[column.type], metadata=_metadata(column)) for column in columns])


def read_columns(path: Path, *, names: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Read all columns, or only `names`, as lists by name; None if unknown."""
    columns: dict[str, list[Any]] = {name: [] for name in (pq.read_schema(path).names if names is None else names)}
    for piece in read_pieces(path, names=names):
        for name, values in piece.items():
            columns[name] += values
    return columns


def read_batches(path: Path, *, names: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yields PIECE_ROWS rows at a time, all columns or only `names`; texts are dictionary-encoded."""
    with pq.ParquetFile(path, read_dictionary=_texts(path)) as file:
        yield from file.iter_batches(batch_size=PIECE_ROWS, columns=None if names is None else list(names))


def read_pieces(path: Path, *, names: Sequence[str] | None = None) -> Iterator[dict[str, list[Any]]]:
    """Yields the columns of PIECE_ROWS rows at a time; equal texts of a piece are one object."""
    yield from map(python_columns, read_batches(path, names=names))


def python_columns(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """The values of each column by its name; equal texts are one object."""
    return {name: _values(values) for name, values in zip(batch.schema.names, batch.columns, strict=True)}


def count_rows(path: Path) -> int:
    """The number of rows of a file, from its footer."""
    rows: int = pq.read_metadata(path).num_rows
    return rows


def _texts(path: Path) -> list[str]:
    return [field.name for field in pq.read_schema(path) if field.type == pa.string()]


def _values(values: pa.Array) -> list[Any]:
    if not pa.types.is_dictionary(values.type):
        plain: list[Any] = values.to_pylist()
        return plain
    texts = values.dictionary.to_pylist()
    return [None if index is None else texts[index] for index in values.indices.to_pylist()]


def _metadata(column: Column) -> dict[str, str]:
    return {"description": column.description} | ({"unit": column.unit} if column.unit else {})
