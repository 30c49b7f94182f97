"""Documentation: links resolve, lines of prose stay short, and the glossary defines each term once."""

import re
from collections import Counter
from urllib.parse import unquote

import pytest
from docs import markdown
from docs.generated import is_generated

from eyelevel_core.model.mask import RULES

LIMIT = 100
# prose lines over the limit, in all files together: lower it whenever the number falls
ALLOWANCE = 4
SLACK = 5


def name(path: markdown.Path) -> str:
    return path.relative_to(markdown.REPOSITORY).as_posix()


def broken(path: markdown.Path) -> list[str]:
    found = []
    for number, target in markdown.links(path.read_text()):
        place, _, anchor = unquote(target).partition("#")
        file = path if not place else (path.parent / place).resolve()
        if not file.is_relative_to(markdown.REPOSITORY) or not file.exists():
            found.append(f"{name(path)}:{number}: {target} does not exist")
        elif anchor and file.suffix == ".md" and anchor not in markdown.anchors(file.read_text()):
            found.append(f"{name(path)}:{number}: {target}: the file has no such heading")
    return found


@pytest.mark.parametrize("path", markdown.files(), ids=name)
def test_every_relative_link_resolves(path: markdown.Path) -> None:
    assert broken(path) == []


def test_there_are_no_more_long_lines_than_allowed() -> None:
    written = [path for path in markdown.files() if not is_generated(path)]
    counts = {name(path): len(markdown.too_long(path.read_text(), LIMIT)) for path in written}
    total = sum(counts.values())
    worst = ", ".join(f"{file} {count}" for file, count in Counter(counts).most_common(5))
    assert total <= ALLOWANCE, f"{total} prose lines are over {LIMIT} characters, {ALLOWANCE} are allowed: {worst}"
    assert total > ALLOWANCE - SLACK or total == 0, f"Only {total} long lines are left: set ALLOWANCE to {total}."


def test_the_page_on_motion_has_every_constant_of_a_mask() -> None:
    """As a row of names and a row of values: | `span_ms`, ... | 10000, ... |"""
    page = (markdown.REPOSITORY / "docs" / "explanation" / "motion.md").read_text()
    found = {}
    for names, values in re.findall(r"^\| (`[^|]+`) \| ([\d., ]+) \|", page, re.MULTILINE):
        named = zip(re.findall(r"`(\w+)`", names), map(float, values.split(",")), strict=True)
        found.update(named)
    assert found == RULES


def test_the_glossary_defines_each_term_once() -> None:
    counted = Counter(markdown.terms((markdown.REPOSITORY / "GLOSSARY.md").read_text()))
    assert len(counted) > 50
    assert [term for term, times in counted.items() if times > 1] == []


class TestTheReading:
    def test_code_is_neither_prose_nor_link(self) -> None:
        text = "a\n```sh\n[x](gone.md)\n```\n`[y](gone.md)` and [z](there.md#part)\n[r]: other.md\n"
        assert list(markdown.links(text)) == [(5, "there.md#part"), (6, "other.md")]

    def test_blocks_of_code_are_found_by_their_language(self) -> None:
        text = "```sh\na\n\nb\n```\n1. x\n\n   ```sh\n   c\n     d\n   ```\n```text\ne\n```\n"
        assert markdown.fenced(text, "sh") == ["a\n\nb\n", "c\n  d\n"]

    def test_addresses_elsewhere_are_not_looked_for(self) -> None:
        assert list(markdown.links("[a](https://example.org) [b](mailto:x@example.org)")) == []

    def test_headings_of_one_name_are_numbered(self) -> None:
        assert markdown.anchors("# One `two`: three\n## Part\n## Part\n") == {"one-two-three", "part", "part-1"}

    def test_rows_of_tables_may_be_long(self) -> None:
        assert markdown.too_long("| " + "x" * 200 + " |\n" + "y" * 101 + "\n" + "z" * 100, LIMIT) == [2]

    def test_several_terms_of_a_row_count_each(self) -> None:
        assert markdown.terms("| **Seat**, **slot** | **bold** | |\n| **seat** | x | |") == ["seat", "slot", "seat"]
