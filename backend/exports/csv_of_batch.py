"""Writes Arrow batches as CSV, a column at a time, with the same text as `eyelevel_core.tables.csv_rows`."""

import csv
import io

import pyarrow as pa
import pyarrow.compute as pc

from eyelevel_core.tables import FORMULA, cell

# texts that `cell` changes or a CSV file quotes
SPECIAL = "^[" + "".join(f"\\x{ord(sign):02x}" for sign in FORMULA) + ']|[,"\\r\\n]'
SECONDS = "%Y-%m-%dT%H:%M:%SZ"


def csv_of_batch(batch: pa.RecordBatch) -> str:
    """The rows of a batch with at least two columns, without a header."""
    if not batch.num_rows:
        return ""
    rows = pc.binary_join_element_wise(*map(_cells, batch.columns), ",")
    return "\r\n".join(rows.to_pylist()) + "\r\n"


def _cells(column: pa.Array) -> pa.Array:
    """The text of each cell; an unknown value is an empty cell."""
    return pc.fill_null(_texts(column), "")


def _texts(column: pa.Array) -> pa.Array:
    if pa.types.is_timestamp(column.type):
        # as `datetime.isoformat`, which leaves a fraction of zero out
        return pc.replace_substring_regex(pc.strftime(column, format=SECONDS), r"\.0+Z$", "Z")
    if pa.types.is_floating(column.type):
        encoded = column.dictionary_encode()
        return pc.take(pa.array(map(repr, encoded.dictionary.to_pylist()), pa.string()), encoded.indices)
    if pa.types.is_dictionary(column.type):
        return pc.take(_escaped(column.dictionary), column.indices)
    return _escaped(column) if pa.types.is_string(column.type) else column.cast(pa.string())


def _escaped(texts: pa.Array) -> pa.Array:
    if not pc.any(pc.match_substring_regex(texts, SPECIAL)).as_py():
        return texts
    return pa.array([None if text is None else _quoted(cell(text)) for text in texts.to_pylist()], pa.string())


def _quoted(text: str) -> str:
    line = io.StringIO()
    # an empty cell beside it, as a single empty cell would be quoted
    csv.writer(line).writerow((text, ""))
    return line.getvalue().removesuffix(",\r\n")
