"""docs/developers/asvs.md names tests that exist, and no row goes without a test or a reason."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "developers" / "asvs.md").read_text()
ROWS = [line for line in PAGE.splitlines() if re.match(r"\| \d", line)]
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def lacking(text: str) -> list[str]:
    """Tests of a text that are in no file."""
    named = dict.fromkeys(TEST.findall(text))
    return [
        f"{path}::{name}"
        for path, name in named
        if not (REPOSITORY / path).is_file()
        or not re.search(rf"^\s*(?:async )?def {name}\(", (REPOSITORY / path).read_text(), re.MULTILINE)
    ]


def test_every_test_of_the_table_exists() -> None:
    assert len(TEST.findall(PAGE)) > 100
    assert lacking(PAGE) == []


@pytest.mark.parametrize("named", ["tests/docs/test_asvs.py::test_gone", "tests/docs/test_gone.py::test_gone"])
def test_one_that_is_gone_is_found(named: str) -> None:
    assert lacking(f"`{named}`") == [named]


def test_each_requirement_has_a_test_or_says_what_is_left() -> None:
    assert len(ROWS) > 80
    silent = [row for row in ROWS if not (TEST.search(row) or re.search(r"\| (left|second factor: in progress)", row))]
    assert silent == []


def test_every_chapter_is_there() -> None:
    # V10 and V17 do not apply, which a sentence says
    headings = [int(number) for number in re.findall(r"^## V(\d+) ", PAGE, re.MULTILINE)]
    assert headings == [number for number in range(1, 17) if number != 10]
