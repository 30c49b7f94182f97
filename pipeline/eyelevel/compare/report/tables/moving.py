"""The tables of motion that the masks do not know."""

from collections.abc import Sequence

from eyelevel.compare.model import Load
from eyelevel.compare.moving import MotionTest
from eyelevel.compare.report.tables.shared import NETWORK, NETWORK_VIEW, PAIR, PAIR_VIEW, SITE, SITE_VIEW
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View


def motion_table(rows: Sequence[MotionTest]) -> Table:
    columns = [
        *PAIR,
        NETWORK,
        Column("finding", "what takes are counted for", lambda row: row.finding),
        Column("takes_new", "the new stack's takes with the finding", lambda row: row.new),
        Column("of_new", "the new stack's takes with a motion mask", lambda row: row.new_takes),
        Column("takes_reference", "the reference's takes with the finding", lambda row: row.reference),
        Column("of_reference", "the reference's takes with a motion mask", lambda row: row.reference_takes),
        Column("p_value", "two-sided p of Fisher's exact test", lambda row: row.found.p_value),
        Column("p_adjusted", "the same after Holm among all rows", lambda row: row.adjusted_p),
    ]
    views = [
        PAIR_VIEW,
        NETWORK_VIEW,
        View("takes in which", lambda row: row.finding, text=True),
        View("new", lambda row: f"{row.new} of {row.new_takes}"),
        View("reference", lambda row: f"{row.reference} of {row.reference_takes}"),
        View("p", lambda row: words.p_value(row.found.p_value)),
        View("p, Holm", lambda row: words.p_value(row.adjusted_p)),
    ]
    return Table("motion", "Motion that the masks do not know, between stacks", columns, views, rows)


def motion_take_table(rows: Sequence[Load]) -> Table:
    columns = [
        Column("stack", "protocol stack", lambda row: row.stack),
        SITE,
        NETWORK,
        Column("run", "number of the run", lambda row: row.run),
        Column("tiles_outside", "tiles that moved outside the mask, as column:row of tiles", _tiles),
        Column("regions_missing", "numbers of the mask's regions that never appeared", _missing),
    ]
    views = [
        View("stack", lambda row: row.stack, text=True),
        SITE_VIEW,
        NETWORK_VIEW,
        View("run", lambda row: str(row.run)),
        View("tiles outside", lambda row: str(len(row.motion.outside) if row.motion else 0)),
        View("regions missing", lambda row: str(len(row.motion.region_missing) if row.motion else 0)),
    ]
    return Table(
        "motion-takes", "Takes with motion outside the mask, or without one of its regions", columns, views, rows
    )


def _tiles(load: Load) -> str:
    return " ".join(f"{x}:{y}" for x, y in load.motion.outside) if load.motion else ""


def _missing(load: Load) -> str:
    return " ".join(map(str, load.motion.region_missing)) if load.motion else ""
