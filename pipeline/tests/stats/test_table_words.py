"""Every table that the platform shows has its title and the meanings of its columns in English and German."""

import re

import pytest

from eyelevel_core.tables import Table
from eyelevel_stats.tables import IN_DEPTH, TABLES

SHOWN = [*TABLES.values(), *IN_DEPTH.values()]


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


@pytest.mark.parametrize("table", SHOWN, ids=lambda table: table.name)
def test_intervals_end_in_a_column_of_the_same_table(table: Table) -> None:
    ends = {column.until for column in table.columns} - {None}
    assert ends <= {column.name for column in table.columns}


def numbers(text: str) -> list[str]:
    """Those in figures, but for sections of a standard (7.6.4), which are written alike in both languages."""
    return [number for number in re.findall(r"[0-9]+(?:[.,][0-9]+)*", text) if number.count(".") < 2]
