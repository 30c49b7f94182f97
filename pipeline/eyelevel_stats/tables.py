"""The tables of results, and those in depth, by name, in the order of exports and pages."""

from collections.abc import Mapping
from itertools import chain

from eyelevel_core.tables import Table
from eyelevel_stats.rows import answers, comparisons, hypotheses, metrics, recalled, study, trust

TABLES: Mapping[str, Table] = {table.name: table for table in chain(hypotheses.TABLES, study.TABLES)}
IN_DEPTH: Mapping[str, Table] = {
    table.name: table
    for table in chain(answers.TABLES, trust.TABLES, metrics.TABLES, comparisons.TABLES, recalled.TABLES)
}
