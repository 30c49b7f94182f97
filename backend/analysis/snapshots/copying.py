"""Copies rows from PostgreSQL into Arrow batches, without a Python object per value."""

import io
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.csv
from django.db import connection
from django.db.models import QuerySet

# approximate size of a batch in PostgreSQL's text format
BLOCK_BYTES = 4 << 20
# rows that are joined at once, because a call per row is slow
ROWS = 4096
# PostgreSQL's text format of booleans and NULL
CONVERSIONS: dict[str, object] = {"true_values": ["t"], "false_values": ["f"], "null_values": [""]}


def copied(rows: QuerySet[Any, Any], columns: Mapping[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a `values_list` under these names, in the query's order; only NULL becomes null.

    Call it in a transaction with a fixed snapshot.
    """
    query, values = rows.query.sql_with_params()
    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT csv)", values) as blocks:
        text = io.BufferedReader(_Text(blocks), BLOCK_BYTES)
        if not text.peek(1):
            return
        yield from pyarrow.csv.open_csv(
            text,
            read_options=pyarrow.csv.ReadOptions(column_names=list(columns), block_size=BLOCK_BYTES),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict(columns), strings_can_be_null=True, quoted_strings_can_be_null=False, **CONVERSIONS
            ),
        )


class _Text(io.RawIOBase):
    """The blocks of a COPY as a file."""

    def __init__(self, blocks: Iterator[memoryview]) -> None:
        # one per row
        self._blocks, self._rest = iter(blocks), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        if not self._rest:
            self._rest = memoryview(b"".join(islice(self._blocks, ROWS)))
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size
