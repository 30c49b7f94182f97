"""A page shows the columns that a row type declares, each by its format; an interval is in one cell."""

from dataclasses import dataclass
from xml.etree.ElementTree import tostring

import pytest

from eyelevel.report.table import Filled, table_element
from eyelevel.report.words import FORMATS
from eyelevel_core.tables import Format, Table, column


@dataclass(frozen=True)
class Row:
    site: str = column("site of the campaign")
    runs: int = column("runs that count", head="n")
    gain: float | None = column("gain; a fraction", shown="percent")
    ci_low: float | None = column("lower end", head="95 %", shown="percent", until="ci_high")
    ci_high: float | None = column("upper end", shown="percent")
    kept: bool = column("whether it is compared")
    wait_ms: float | None = column("time to wait", shown="signed_ms")
    digest: str = column("SHA-256", shown="hidden")


ROWS = [Row("alpha", 1200, -0.1, -0.2, -0.05, True, -3.0, "ab"), Row("beta", 1, None, None, 0.1, False, None, "cd")]
FILLED = Filled(Table("gains", "Gains", "Gewinne", Row), ROWS, note="Below 0: faster.")


def plain(cells: list[str]) -> list[str]:
    return [cell.replace("\u00a0", " ") for cell in cells]


def test_heads_and_cells_follow_the_declarations() -> None:
    assert [(head.words, head.text) for head in FILLED.heads()] == [
        ("site", True), ("n", False), ("gain", False), ("95 %", False), ("kept", True), ("wait, ms", False),
    ]  # fmt: skip
    first, second = (plain(cells) for cells in FILLED.lines(ROWS))
    assert first == ["alpha", "1,200", "−10 %", "−20 % to −5.0 %", "yes", "−3.0"]
    assert second == ["beta", "1", "–", "–", "no", "–"]


def test_the_file_and_the_dictionary_have_every_column() -> None:
    assert FILLED.csv().splitlines()[1] == "alpha,1200,-0.1,-0.2,-0.05,True,-3.0,ab"
    assert list(FILLED.dictionary())[-1] == ("gains.csv", "digest", "SHA-256")


def test_a_part_of_the_rows_has_neither_note_nor_link() -> None:
    whole, part = (
        tostring(element, encoding="unicode")
        for element in (table_element(FILLED), table_element(FILLED, rows=ROWS[:1], caption="alpha", without=["site"]))
    )
    assert "Below 0: faster." in whole
    assert 'href="tables/gains.csv"' in whole
    assert "Below 0" not in part
    assert "href" not in part
    assert '<th scope="row" class="figure">1,200</th>' in part


@pytest.mark.parametrize(
    ("shown", "value", "words"),
    [("precise", 0.12345, "0.123"), ("precise", -1234.5, "−1,234"), ("share", 0.5, "50.0 %"), ("p", 0.0001, "< 0.001"),
     ("metric", "si", "SI"), ("metric", "other", "other"), ("decimal", -0.5, "−0.50"), ("ms", 1234.4, "1,234"),
     ("text", True, "yes"), ("text", None, "–")],
)  # fmt: skip
def test_formats(shown: Format, value: object, words: str) -> None:
    assert FORMATS[shown](value).replace("\u00a0", " ") == words
