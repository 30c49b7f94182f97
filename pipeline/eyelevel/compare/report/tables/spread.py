"""The table of how much the Speed Index varies, and what of it follows processor time."""

from collections.abc import Sequence

from eyelevel.compare.report.tables.shared import NETWORK, NETWORK_VIEW, plain
from eyelevel.compare.spread import SpreadRow
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View


def spread_table(rows: Sequence[SpreadRow]) -> Table:
    columns = [
        NETWORK,
        *plain(
            {
                "stack": "the stack",
                "sites": "sites with at least 4 settled takes that have both values",
                "takes": "those takes",
            }
        ),
        Column(
            "sd_log_si", "standard deviation of log SI within sites, which weigh by their takes", lambda row: row.metric
        ),
        Column(
            "sd_log_processor_time",
            "the same of the run's processor time from navigation start until the page had nearly settled",
            lambda row: row.processor_time,
        ),
        Column("correlation", "Pearson's coefficient of the two within sites", lambda row: row.correlation),
        Column(
            "sd_log_si_left",
            "standard deviation of log SI about the line that fits it on log processor time within sites",
            lambda row: row.left,
        ),
    ]
    views = [
        NETWORK_VIEW,
        View("stack", lambda row: row.stack, text=True),
        View("takes", lambda row: words.count(row.takes)),
        View("SI varies by", lambda row: words.share(row.metric)),
        View("processor time varies by", lambda row: words.share(row.processor_time)),
        View("correlation", lambda row: words.decimal(row.correlation)),
        View("left of SI", lambda row: words.share(row.left)),
    ]
    return Table("spread", "How much the Speed Index varies from run to run", columns, views, rows)
