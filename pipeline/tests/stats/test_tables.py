"""Tables for a spreadsheet: nothing is lost, nothing starts a formula, and every column is explained."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel_core.tables import cell, csv_text, text_of_cell
from eyelevel_stats.observations import Rating, Ratings
from eyelevel_stats.result_tables import result_tables
from eyelevel_stats.study import study_results


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_never_starts_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_negative_numbers_stay_numbers() -> None:
    assert csv_text(["pearson"], [[-0.5]]) == "pearson\r\n-0.5\r\n"


def test_unknown_is_an_empty_cell() -> None:
    assert csv_text(["a", "b"], [[None, 0]]) == "a,b\r\n,0\r\n"


@given(st.text())
def test_text_comes_back_as_it_was(text: str) -> None:
    written = io.StringIO(csv_text(["text", "end"], [[text, "end"]]), newline="")
    header, row = csv.reader(written)
    assert header == ["text", "end"]
    assert [text_of_cell(row[0]), row[1]] == [text, "end"]


def test_every_table_has_its_header_and_rows() -> None:
    votes = [
        Rating("ann", "garden", "DSL", "TCP+", "work", "c1", 6),
        Rating("ben", "garden", "DSL", "TCP+", "work", "c1", 5),
    ]
    found = result_tables(
        study_results(
            Ratings.of(votes), [], {"c1": {"fvc_ms": 1.5, "vc85_ms": 3, "lvc_ms": 4, "plt_ms": 5, "cls": 0.125}}
        )
    )
    assert [name.removesuffix(".csv") for name in found] == [
        "hypotheses", "effects", "mos", "comparisons", "correlations", "points", "values", "identical", "repeats",
        "layouts",
    ]  # fmt: skip
    assert found["mos.csv"].splitlines()[0] == "site,network,stack,context,n,mos,ci_low,ci_high,sd"
    assert found["mos.csv"].splitlines()[1].startswith("garden,DSL,TCP+,work,2,5.5,1.0,7.0,0.70")
    assert found["comparisons.csv"].count("\n") == 1
    assert found["correlations.csv"].splitlines()[2] == "DSL,si,0,0,,,,,,too few clips: 0 of at least 10"
    assert found["points.csv"].splitlines()[1] == "c1,garden,DSL,TCP+,2,5.5,1.5,,3,4,5,,,,,,,0.125,,,,,,1.0,7.0"
