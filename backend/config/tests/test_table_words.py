"""Tables that the platform itself counts have their titles, heads and meanings in English and German."""

import pytest

from analysis.showing.looks import OPENINGS
from conformance.playback import WATCHED
from eyelevel_core.tables import Table


@pytest.mark.parametrize("table", [OPENINGS, WATCHED], ids=lambda table: table.name)
def test_it_has_german(table: Table) -> None:
    assert table.title_de
    assert [
        column.name for column in table.columns if not column.description_de or column.title("de") == column.title("en")
    ] == []
