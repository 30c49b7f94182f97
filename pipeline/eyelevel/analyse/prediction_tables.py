"""The tables of predictions: left-out clips, for the page and as CSV, and what is added to a table of new clips."""

from collections.abc import Sequence
from operator import attrgetter

from eyelevel.analyse.tables import between
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import count, decimal
from eyelevel_core.tables import columns_of
from eyelevel_stats.prediction.coverage import LeftOutRow

NAME = "predictions"
# clips are of all networks together
OWN = {one.name: one.description for one in columns_of(LeftOutRow) if one.name not in ("network", "clip", "inside")}


def prediction_table(rows: Sequence[LeftOutRow]) -> Table:
    """A row per rated clip: what its votes say, and what was predicted without the votes of its site."""
    columns = [
        Column("stimulus", "clip of this site", attrgetter("clip")),
        *(Column(name, meaning, attrgetter(name)) for name, meaning in OWN.items() if name != "refused"),
        Column("inside", "yes where mos is within the interval, no where it is not; empty without one", _inside),
        Column("refused", OWN["refused"], lambda row: row.refused or None),
    ]
    views = [
        View("clip", attrgetter("clip"), text=True),
        View("site", attrgetter("site"), text=True),
        View("metric", lambda row: row.metric or "–", text=True),
        View("votes", lambda row: count(row.votes)),
        View("predicted MOS", lambda row: decimal(row.predicted)),
        View("90 % interval", lambda row: between(row.low, row.high)),
        View("observed MOS", lambda row: decimal(row.mos)),
        View("inside", lambda row: _inside(row) or "–", text=True),
        View("why not predicted", attrgetter("refused"), text=True),
    ]
    return Table(NAME, "MOS of left-out sites, predicted and observed", columns, views, rows)


def _inside(row: LeftOutRow) -> str | None:
    return None if row.inside is None else "yes" if row.inside else "no"
