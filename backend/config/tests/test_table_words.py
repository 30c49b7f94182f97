"""Tables that the platform itself counts have their titles, heads and meanings in English and German."""

import pytest

from analysis.showing.looks import OPENINGS
from conformance.playback import WATCHED
from eyelevel_core.tables import Table


@pytest.mark.parametrize("table", [OPENINGS, WATCHED], ids=lambda table: table.name)
def test_it_has_german(table: Table) -> None:
    assert table.title_de
    assert [one.name for one in table.columns if not one.description_de or one.title("de") == one.title("en")] == []
