"""Every column of every descriptive table has a meaning for the data dictionary, and only plain values."""

import importlib
import pkgutil
from dataclasses import fields, is_dataclass
from types import ModuleType

import pytest

from eyelevel_stats import rows

MODULES = [
    module
    for found in pkgutil.iter_modules(rows.__path__)
    for module in [importlib.import_module(f"eyelevel_stats.rows.{found.name}")]
    # by row, as several tables use one name for different columns
    if any(isinstance(row, type) for row in getattr(module, "COLUMNS", ()))
]
PLAIN = {"str", "int", "float", "str | None", "int | None", "float | None"}


def name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def test_all_modules_with_tables_are_here() -> None:
    assert [name(module) for module in MODULES] == [
        "careless",
        "contexts",
        "distribution",
        "groups",
        "order",
        "reliability",
        "resampled",
        "sides",
        "sos",
        "subjects",
    ]


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_columns_are_described_in_their_order(module: ModuleType) -> None:
    for row, meaning in module.COLUMNS.items():
        assert is_dataclass(row), row
        assert [field.name for field in fields(row)] == list(meaning), row


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_columns_hold_plain_values(module: ModuleType) -> None:
    for row in module.COLUMNS:
        kinds = {field.type if isinstance(field.type, str) else _written(field.type) for field in fields(row)}
        assert kinds <= PLAIN, row.__name__


def _written(kind: object) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind)
