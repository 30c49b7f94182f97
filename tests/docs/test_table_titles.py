"""The study's page has a title for each table in depth, in English that of the export's data dictionary.

It has the meaning of each column in German, too.
"""

import json
import re

from docs import markdown

from eyelevel_stats.in_depth.catalogue import CATALOGUE

PAGES = markdown.REPOSITORY / "frontend/src"
TITLES = PAGES / "features/researcher/indepth/useTableTitle.ts"
MEANINGS = PAGES / "locales/staff/columns.de.json"


def test_the_page_has_the_title_of_every_table_in_depth() -> None:
    found = re.findall(r"^ {4}'?([\w-]+)'?: t`(.*)`,$", TITLES.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(found) == {name: table.title for name, table in CATALOGUE.items()}


def test_the_page_has_the_meaning_of_every_column_in_german() -> None:
    found = json.loads(MEANINGS.read_text(encoding="utf-8"))
    in_order = dict.fromkeys(meaning for table in CATALOGUE.values() for meaning in table.columns.values())
    assert list(found) == list(in_order)


def test_german_meanings_have_the_numbers_of_the_english_ones() -> None:
    found = json.loads(MEANINGS.read_text(encoding="utf-8"))
    assert [one for one, other in found.items() if numbers(one) != numbers(other)] == []


def numbers(text: str) -> list[str]:
    """In order of size, without the signs that differ between the languages; those in words are none."""
    return sorted(re.findall(r"[0-9]+", re.sub("[.,]", "", text)))
