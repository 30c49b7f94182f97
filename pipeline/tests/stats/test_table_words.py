"""Every table that the platform shows has its title and the meanings of its columns in English and German."""

import re

import pytest

from eyelevel_core.model.metrics import METRICS
from eyelevel_core.tables import Table
from eyelevel_stats.conformance import COUNTS
from eyelevel_stats.demographics import DEMOGRAPHICS
from eyelevel_stats.tables import IN_DEPTH, TABLES

SHOWN = [*TABLES.values(), *IN_DEPTH.values(), COUNTS, DEMOGRAPHICS]


@pytest.mark.parametrize("table", SHOWN, ids=lambda table: table.name)
def test_it_has_german(table: Table) -> None:
    assert table.title_de
    assert [column.name for column in table.columns if len(column.description) < 5 or not column.description_de] == []


@pytest.mark.parametrize("table", SHOWN, ids=lambda table: table.name)
def test_german_meanings_have_the_numbers_of_the_english_ones(table: Table) -> None:
    german_signs = str.maketrans(".,", ",.")
    assert [
        column.name
        for column in table.columns
        if sorted(numbers(column.description_de))
        != sorted(number.translate(german_signs) for number in numbers(column.description))
    ] == []


# names and symbols that are alike in both languages
ALIKE = {
    "p", "p (Holm)", "p (Meng)", "MOS", "SD", "A", "B", "Pearson", "Spearman", "Kendall", "rmse", "rmse*", "n", "a",
    "b", "c", "f", "median", "nu", "nu se", "jod", "d prime", "meng z", "mos ml", "mos zrec", "stack a", "stack b",
    "icc 1 1", "icc 1 k", "icc 2 1", "icc 2 k", "icc 3 1", "icc 3 k",
} | {metric.label for metric in METRICS}  # fmt: skip


@pytest.mark.parametrize("table", SHOWN, ids=lambda table: table.name)
def test_every_head_on_a_page_is_german_on_a_german_one(table: Table) -> None:
    ends = {column.until for column in table.columns}
    shown = [column for column in table.columns if column.format != "hidden" and column.name not in ends]
    english = {column.title("en") for column in shown if column.title("de") == column.title("en")}
    assert english - ALIKE == set()


@pytest.mark.parametrize("table", SHOWN, ids=lambda table: table.name)
def test_intervals_end_in_a_column_of_the_same_table(table: Table) -> None:
    ends = {column.until for column in table.columns} - {None}
    assert ends <= {column.name for column in table.columns}


def numbers(text: str) -> list[str]:
    """Those in figures, but for sections of a standard (7.6.4), which are written alike in both languages."""
    return [number for number in re.findall(r"[0-9]+(?:[.,][0-9]+)*", text) if number.count(".") < 2]
