"""Golden test: the columns that export and `compare` files have for metrics, and the contracts of their values.

`columns.csv` changes with a metric, and for no other reason. To write it: `python tests/golden/test_columns.py`.
"""

import csv
import io
import json
from pathlib import Path

import pytest

from eyelevel.compare.takes import TAKES
from eyelevel_core.contracts import schema, sha256_of_json
from eyelevel_core.contracts.columns import export_columns

HERE = Path(__file__).parent
HEADER = ("file", "column", "type", "unit", "description", "optional")


def columns_now() -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(
        ("votes.csv", column.name, column.type, column.unit, column.description, column.optional)
        for column in export_columns()
    )
    writer.writerows(("takes.csv", column.name, "", "", column.description, "") for column in TAKES.columns)
    return text.getvalue()


def test_the_columns_of_votes_and_takes() -> None:
    assert columns_now() == (HERE / "columns.csv").read_text()


@pytest.mark.parametrize("name", ["take.1", "batch.1", "progress.1"])
def test_the_contracts_of_metrics(name: str) -> None:
    assert sha256_of_json(schema(name)) == json.loads((HERE / "digests.json").read_text())["schemas"][name]


if __name__ == "__main__":
    (HERE / "columns.csv").write_text(columns_now())
