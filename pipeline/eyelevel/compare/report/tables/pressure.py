"""The table of who used the processors, stack against stack."""

from collections.abc import Sequence

from eyelevel.compare.pressure import PressureTest
from eyelevel.compare.report.tables.shared import NETWORK, NETWORK_VIEW, PAIR, PAIR_VIEW
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View


def pressure_table(rows: Sequence[PressureTest]) -> Table:
    columns = [
        *PAIR,
        NETWORK,
        Column(
            "share_of",
            "time in which tasks of the run waited for a processor, or all processors' time that others used",
            lambda row: row.figure,
        ),
        Column("share_new", "mean of the new stack's takes; a fraction", lambda row: row.new_share),
        Column("share_reference", "mean of the reference's takes; a fraction", lambda row: row.reference_share),
        Column("difference", "new - reference, mean over sites; a fraction", lambda row: row.found.difference),
        Column("ci_low", "lower end of its 95 % interval", lambda row: row.found.ci_low),
        Column("ci_high", "upper end of the same interval", lambda row: row.found.ci_high),
        Column("p_value", "two-sided p of Welch's test within sites", lambda row: row.found.p_value),
        Column("p_adjusted", "the same after Holm among all rows", lambda row: row.adjusted_p),
    ]
    views = [
        PAIR_VIEW,
        NETWORK_VIEW,
        View("share of time", lambda row: row.figure, text=True),
        View("new", lambda row: words.share(row.new_share)),
        View("reference", lambda row: words.share(row.reference_share)),
        View("difference", lambda row: words.percent(row.found.difference)),
        View("95 %", lambda row: words.interval(row.found.ci_low, row.found.ci_high)),
        View("p", lambda row: words.p_value(row.found.p_value)),
        View("p, Holm", lambda row: words.p_value(row.adjusted_p)),
    ]
    return Table("pressure", "Use of the processors while pages loaded, between stacks", columns, views, rows)
