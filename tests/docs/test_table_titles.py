"""The study's page has a title for each table in depth, in English that of the export's data dictionary.

It has the meaning of each column in German, too.
"""

import json
import re

from docs import markdown

from eyelevel_stats.tables import IN_DEPTH

PAGES = markdown.REPOSITORY / "frontend/src"
TITLES = PAGES / "features/researcher/indepth/useTableTitle.ts"
MEANINGS = PAGES / "locales/staff/columns.de.json"


def test_the_page_has_the_title_of_every_table_in_depth() -> None:
    found = re.findall(r"^ {4}'?([\w-]+)'?: t`(.*)`,$", TITLES.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(found) == {name: table.title for name, table in IN_DEPTH.items()}


def test_the_page_has_the_meaning_of_every_column_in_german() -> None:
    found = json.loads(MEANINGS.read_text(encoding="utf-8"))
    assert found.keys() == {one.description for table in IN_DEPTH.values() for one in table.columns}


def test_german_meanings_have_the_numbers_of_the_english_ones() -> None:
    found = json.loads(MEANINGS.read_text(encoding="utf-8"))
    german_signs = str.maketrans(".,", ",.")
    assert [
        english
        for english, german in found.items()
        if sorted(numbers(german)) != sorted(number.translate(german_signs) for number in numbers(english))
    ] == []


def numbers(text: str) -> list[str]:
    """Those in figures, but for sections of a standard (7.6.4), which are written alike in both languages."""
    return [number for number in re.findall(r"[0-9]+(?:[.,][0-9]+)*", text) if number.count(".") < 2]
