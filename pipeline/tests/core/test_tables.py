"""A row type declares its columns once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest

from eyelevel_core.tables import (
    Column,
    Table,
    column,
    columns,
    columns_of,
    derived,
    part,
    values_of,
)

TIMES = (Column("si_ms", "number", "ms", "Speed Index"), Column("cls", "number", None, "layout shift"))


@dataclass(frozen=True)
class Row:
    site: str = column("site of the stimulus", "Website des Stimulus")
    n: int = column("participants", head="people", head_de="Personen")
    verdict: Literal["yes", "no"] = column("whether it is")
    metrics: Mapping[str, float | None] = columns(*TIMES)
    ci_low: float | None = column("lower end", until="ci_high", default=None)
    wait_ms: float | None = column("time until the first answer", shown="ms", default=None)


TABLE = Table("waits", "Waits", "Wartezeiten", Row)
ROW = Row("a.org", 3, "yes", metrics={"cls": 0.5}, wait_ms=12.0)


def test_name_type_and_unit_come_from_the_field() -> None:
    found = [(field.name, field.type, field.unit, field.format) for field in columns_of(Row)]
    assert found == [
        ("site", "string", None, "text"),
        ("n", "integer", None, "count"),
        ("verdict", "string", None, "text"),
        ("si_ms", "number", "ms", "text"),
        ("cls", "number", None, "text"),
        ("ci_low", "number", None, "decimal"),
        ("wait_ms", "number", "ms", "ms"),
    ]


def test_a_mapping_has_a_cell_per_column_and_unknown_is_empty() -> None:
    assert values_of(ROW) == ["a.org", 3, "yes", None, 0.5, None, 12.0]
    assert TABLE.csv([ROW]) == (
        "site,n,verdict,si_ms,cls,ci_low,wait_ms\r\na.org,3,yes,,0.5,,12.0\r\n"
    )  # fmt: skip


def test_a_column_that_is_left_out_is_in_neither_head_nor_rows() -> None:
    assert TABLE.without("site", "cls").csv([ROW]) == "n,verdict,si_ms,ci_low,wait_ms\r\n3,yes,,,12.0\r\n"


def test_german_falls_back_to_english() -> None:
    site, n, _, si = columns_of(Row)[:4]
    assert (site.meaning("de"), n.meaning("de")) == ("Website des Stimulus", "participants")
    assert (n.title("en"), n.title("de"), si.title("de")) == ("people", "Personen", "si, ms")


def test_a_german_title_comes_with_the_name_unless_the_column_has_a_head_of_its_own() -> None:
    site, verdict = Column("site", "string", None, "where"), Column("verdict", "string", None, "what", head="outcome")
    assert (site.title("en"), site.title("de")) == ("site", "Website")
    assert (verdict.title("en"), verdict.title("de")) == ("outcome", "outcome")


def test_a_field_without_a_declaration_is_named() -> None:
    @dataclass(frozen=True)
    class Bare:
        site: str

    with pytest.raises(TypeError, match=r"Bare\.site declares no column"):
        columns_of(Bare)


@dataclass(frozen=True)
class Found:
    p: float | None
    n: int = 2


@dataclass(frozen=True)
class Decided:
    test: Found | None = part()
    site: str = column("site of the stimulus")
    p_value: ClassVar[float | None] = derived("test.p", "two-sided p", shown="p")
    p_adjusted: float | None = column("the same after Holm", shown="p")
    runs: ClassVar[int | None] = derived("test.n", "runs that count")


def test_a_part_of_the_row_is_a_column_at_its_place() -> None:
    assert [(field.name, field.type, field.format) for field in columns_of(Decided)] == [
        ("site", "string", "text"), ("p_value", "number", "p"), ("p_adjusted", "number", "p"),
        ("runs", "integer", "count"),
    ]  # fmt: skip
    row = Decided(Found(0.5), "a.org", 1.0)
    assert (values_of(row), row.p_value) == (["a.org", 0.5, 1.0, 2], 0.5)
    assert values_of(Decided(None, "a.org", None)) == ["a.org", None, None, None]
