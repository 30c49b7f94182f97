"""All tables of the report, by name."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from eyelevel.compare.added import Section
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.provenance import facts
from eyelevel.compare.report.tables.films import film_table
from eyelevel.compare.report.tables.inference import amount_table, overall_table
from eyelevel.compare.report.tables.inference import site_table as site_test_table
from eyelevel.compare.report.tables.leaving import (
    answer_table,
    off_table,
    otherwise_table,
    unlike_table,
    with_all_table,
)
from eyelevel.compare.report.tables.moving import motion_table, motion_take_table
from eyelevel.compare.report.tables.pressure import pressure_table
from eyelevel.compare.report.tables.quality import (
    alignment_table,
    count_table,
    fidelity_table,
    first_paint_table,
    left_out_table,
    rate_table,
    site_table,
    take_table,
)
from eyelevel.compare.report.tables.spread import spread_table
from eyelevel.report.table import Column, Table, View


def tables(comparison: Comparison, sections: Sequence[Section] = ()) -> dict[str, Table]:
    """In the order of the page; the CSVs are named alike."""
    correction = comparison.choices.correction
    found = [
        overall_table(comparison.overall, correction),
        site_test_table(comparison.site_tests, correction),
        amount_table(comparison.amounts),
        *(table for section in sections for table in section.tables),
        site_table(comparison.sites),
        count_table(comparison.counts),
        rate_table(comparison.rates),
        fidelity_table(comparison.fidelity),
        unlike_table(comparison.settings_mismatches),
        otherwise_table(comparison.content_mismatches),
        answer_table(comparison.content_mismatches),
        with_all_table(comparison.with_all, comparison.overall),
        alignment_table(comparison.alignment),
        film_table(comparison.films),
        pressure_table(comparison.pressure),
        spread_table(comparison.spread),
        motion_table(comparison.motion),
        motion_take_table(comparison.with_motion),
        first_paint_table(comparison.first_paints),
        off_table(comparison.off_by_a_frame),
        left_out_table(comparison.left_out),
        take_table(comparison.batch.loads),
        _provenance(comparison),
    ]
    return {table.name: table for table in found}


def dictionary(found: Iterable[Table]) -> Table:
    """The meaning of every column of every table."""
    names = ("file", "column", "meaning")
    columns = [Column(name, "", itemgetter(place)) for place, name in enumerate(names)]
    return Table(
        "columns", "Meaning of every column", columns, [], [row for table in found for row in table.dictionary()]
    )


def _provenance(comparison: Comparison) -> Table:
    columns = [
        Column("fact", "what is stated", lambda row: row[0]),
        Column("value", "its value; digests are SHA-256", lambda row: row[1]),
    ]
    views = [View("fact", lambda row: row[0], text=True), View("value", lambda row: row[1], text=True)]
    return Table("provenance", "Provenance", columns, views, facts(comparison))
