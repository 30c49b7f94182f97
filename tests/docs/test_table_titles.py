"""The study's page has a title for each table in depth: in English, that of the export's data dictionary."""

import re

from docs import markdown

from eyelevel_stats.in_depth.catalogue import CATALOGUE

TITLES = markdown.REPOSITORY / "frontend/src/features/researcher/indepth/useTableTitle.ts"


def test_the_page_has_the_title_of_every_table_in_depth() -> None:
    found = re.findall(r"^ {4}'?([\w-]+)'?: t`(.*)`,$", TITLES.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(found) == {name: table.title for name, table in CATALOGUE.items()}
