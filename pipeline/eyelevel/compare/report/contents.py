"""All tables of the report, by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel.compare.added import Section
from eyelevel.compare.amounts import AMOUNT_TABLE
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.films import FILMS
from eyelevel.compare.inference import overall_table, site_table
from eyelevel.compare.leaving import (
    ANSWERS,
    OTHERWISE,
    UNLIKE,
    WITH_ALL,
    answer_rows,
    otherwise_rows,
    unlike_rows,
    with_all_rows,
)
from eyelevel.compare.machines import MACHINES, SHARES
from eyelevel.compare.moving import MOTION, MOTION_TAKES
from eyelevel.compare.pressure import PRESSURE
from eyelevel.compare.quality import (
    ALIGNMENT,
    COUNTS,
    FIDELITY,
    FIRST_PAINTS,
    LEFT_OUT,
    RATES,
    FidelityRow,
    RateRow,
    count_row,
)
from eyelevel.compare.report.provenance import facts
from eyelevel.compare.sites import SITES
from eyelevel.compare.spread import SPREAD
from eyelevel.compare.takes import OFF, TAKES, OffRow, take_rows
from eyelevel.compare.wire import WIRE, wire_rows
from eyelevel.report.table import Filled
from eyelevel_core.tables import Table, column

OVERALL_NOTE = (
    "Each site counts once. The first interval is about sites like these: its unit is the site. The second is about "
    "these very sites: only their runs vary. A claim about sites like these needs both p-values below 0.05, because "
    "the gains of a few sites may agree by chance. The smallest detectable gain is that of the first test, at 5 % "
    "before correction; the p-values are corrected, so only larger gains are significant. A difference below the "
    "detection floor may come from the films: from an alignment error, or from filming, which slows the stacks."
)
AMOUNT_NOTE = (
    "TBT is in ms, CLS is a plain number. Both may be 0, so the table has differences instead of gains. It is "
    "descriptive, so there are no p-values."
)


@dataclass(frozen=True)
class FactRow:
    """A fact that is needed to reproduce the report."""

    fact: str = column("name of the fact")
    value: str = column("value of the fact; digests are SHA-256")


def tables(comparison: Comparison, sections: Sequence[Section] = ()) -> dict[str, Filled]:
    """Returns the tables in the order of the page, by the names of their CSV files."""
    correction, excluded = comparison.choices.correction, comparison.content_mismatches
    filled = [
        Filled(overall_table(correction), comparison.overall, OVERALL_NOTE),
        Filled(site_table(correction), comparison.site_tests),
        Filled(AMOUNT_TABLE, comparison.amounts, AMOUNT_NOTE),
        *(table for section in sections for table in section.tables),
        Filled(SITES, comparison.sites),
        Filled(COUNTS, list(map(count_row, comparison.counts))),
        Filled(RATES, list(map(RateRow, comparison.rates))),
        Filled(FIDELITY, list(map(FidelityRow, comparison.fidelity))),
        Filled(UNLIKE, unlike_rows(comparison.settings_mismatches)),
        Filled(OTHERWISE, otherwise_rows(excluded), f"All these answers are in {ANSWERS.file}."),
        Filled(ANSWERS, answer_rows(excluded)),
        Filled(WITH_ALL, with_all_rows(comparison.with_all, comparison.overall)),
        Filled(ALIGNMENT, comparison.alignment),
        Filled(FILMS, comparison.films),
        Filled(PRESSURE, comparison.pressure),
        Filled(SPREAD, comparison.spread),
        Filled(SHARES, comparison.machines.shares),
        Filled(MACHINES, comparison.machines.rows),
        Filled(MOTION, comparison.motion),
        Filled(MOTION_TAKES, comparison.with_motion),
        Filled(FIRST_PAINTS, comparison.first_paints),
        Filled(OFF, list(map(OffRow, comparison.off_by_a_frame))),
        Filled(LEFT_OUT, comparison.left_out),
        Filled(TAKES, take_rows(comparison.batch.loads)),
        Filled(WIRE, wire_rows(comparison.batch.loads)),
        Filled(Table("provenance", "Provenance", "", FactRow), [FactRow(*fact) for fact in facts(comparison)]),
    ]
    return {table.name: table for table in filled}
