"""docs/reference/results.md names every table that `eyelevel analyse` writes."""

import re
from fnmatch import fnmatch
from pathlib import Path

from eyelevel.analyse.tables import EVERY, FOLDER

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "results.md"


def named(title: str) -> list[str]:
    """The names in the first column of the table under this heading; `*` stands for further characters."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name.removesuffix(".csv") for cell in cells for name in re.findall(r"`([^` ]+)`", cell)]


def unmatched(names: list[str], tables: set[str]) -> tuple[set[str], set[str]]:
    """Tables without a name, and names without a table."""
    missing = {table for table in tables if not any(fnmatch(table, name) for name in names)}
    return missing, {name for name in names if not any(fnmatch(table, name) for table in tables)}


def test_the_page_names_each_table_beside_the_folder() -> None:
    tables = {name for name in EVERY if "/" not in name}
    assert unmatched(named("Tables of `eyelevel analyse`"), tables) == (set(), set())


def test_the_page_names_each_table_in_depth() -> None:
    tables = {name.removeprefix(f"{FOLDER}/") for name in EVERY if name.startswith(FOLDER)}
    assert unmatched([name for name in named("Tables in depth") if name != "predictions"], tables) == (set(), set())
