"""The data dictionary: every column of every file of an export."""

from analysis.snapshots.columns import FILES, PARTS, VERDICTS_FILE
from exports.clips import CLIPS_CSV, clip_columns
from exports.conformance import CONFORMANCE_FILE, FUNNEL, FUNNEL_FILE
from exports.sessions import SESSIONS_CSV, session_columns
from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.study.design import Design
from eyelevel_core.tables import Column
from eyelevel_stats.conformance.accounting import COUNTS
from eyelevel_stats.demographics import DEMOGRAPHICS
from eyelevel_stats.departures import DEPARTURES
from eyelevel_stats.tables import TABLES

HEADER = ("file", "column", "type", "unit", "description")
PLAYS_CSV = "plays.csv"
OF_ITSELF = (
    ("file", "string", None, "file of the export"),
    ("column", "string", None, "column of that file"),
    ("type", "string", None, "uuid, sha256, string, integer, number or datetime"),
    ("unit", "string", None, "unit of the values; empty if they have none"),
    ("description", "string", None, "meaning of the values"),
)
# under HEADER
Described = tuple[str, str, str, str | None, str]


def dictionary(design: Design) -> list[Described]:
    """Rows under HEADER for an export of a study with this design, in the export's order of files."""
    rows = [described("votes.csv", column) for column in export_columns()]
    rows += [described(PLAYS_CSV, column) for column in play_columns()]
    rows += [described(SESSIONS_CSV, column) for column in session_columns(design)]
    rows += [described(CLIPS_CSV, column) for column in clip_columns()]
    for table in (COUNTS, DEPARTURES, DEMOGRAPHICS, *TABLES.values()):
        rows += [described(table.file, column) for column in table.columns]
    rows += [described(CONFORMANCE_FILE, column) for column in FILES[VERDICTS_FILE]]
    rows += [described(FUNNEL_FILE, column) for column in FUNNEL]
    rows += [("data-dictionary.csv", *row) for row in OF_ITSELF]
    rows += [described(name, column) for name, columns in FILES.items() for column in columns]
    return rows + [described(f"{kind}/DAY.parquet", column) for kind, columns in PARTS.items() for column in columns]


def described(file: str, column: Column) -> Described:
    """The row about a column; booleans are strings, because files write them as words."""
    return file, column.name, "string" if column.type == "boolean" else column.type, column.unit, column.description
