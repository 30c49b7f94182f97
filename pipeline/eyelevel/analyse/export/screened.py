"""Reads the session data of an export: exclusions with reasons, plays off speed, and votes of excluded sessions.

Each figure that needs them states in one line what is missing.
"""

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eyelevel.analyse.export.reading import parts_beside, text_beside
from eyelevel.errors import BadInputError
from eyelevel_core.study.design import Design
from eyelevel_figures.study import Screening
from eyelevel_stats.columns import Whose
from eyelevel_stats.conformance import (
    RULES,
    VERDICT_COLUMNS,
    asked_rules,
    broken_column,
    funnel,
    funnel_rows,
)
from eyelevel_stats.descriptive.careless import Plays, plays_by_session
from eyelevel_stats.in_depth.compute import Completed, completed

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # a package of the platform; without it, there is no multiverse
    pa = pq = None

CONFORMANCE, PLAYS, EVERY_VOTE = "conformance.csv", "plays.csv", "votes"
NO_STUDY = "study.json, which has the rules of the study, is not beside the votes"
NO_VERDICTS = f"{CONFORMANCE}, which has the verdict on each session, is not beside the votes"
NO_VOTES = f"the folder {EVERY_VOTE}, which has the votes of excluded sessions, is not beside votes.csv"
NO_PYARROW = f"the Python package pyarrow, which reads the folder {EVERY_VOTE}, is not installed"
NO_PLAN = "the plan states no hypothesis about two stacks"
UNMODIFIED = "give an unmodified export"
RULE_COLUMNS = {broken_column(rule): rule for rule in RULES}


@dataclass(frozen=True)
class Screened:
    """The screening of sessions, or None and the reason; `verdicts` are the columns of conformance.csv.

    If the file has no column of a rule, the cells of this rule are None.
    """

    screening: Screening | None
    why: str | None
    verdicts: Mapping[str, Sequence[str | None]] | None
    group_names: Mapping[str, str]


def screened_of(export: Path, design: Design | None, origin: Whose) -> Screened:
    """Returns the funnels of the sessions of this origin, and the names of groups, in English where the study has them.

    A rule without a column in conformance.csv, for example in a file older than the rule, counts as not asked. Raises
    BadInputError if another column is missing, or the columns of all rules are.
    """
    if design is None:
        return Screened(None, NO_STUDY, None, {})
    names = {group.key: group.label.get("en") or next(iter(group.label.values()), group.key) for group in design.groups}
    text = text_beside(export, CONFORMANCE)
    if text is None:
        return Screened(None, NO_VERDICTS, None, names)
    where = f"{export}: {CONFORMANCE}"
    verdicts = _columns(text, [name for name in VERDICT_COLUMNS if name not in RULE_COLUMNS], where, RULE_COLUMNS)
    not_asked = {rule for name, rule in RULE_COLUMNS.items() if name not in verdicts}
    if len(not_asked) == len(RULES):
        raise BadInputError(f"{where} has no column of any rule, such as {broken_column(RULES[0])}; {UNMODIFIED}.")
    sessions = len(verdicts["session_id"])
    verdicts |= {broken_column(rule): [None] * sessions for rule in not_asked}
    rules = design.conformance.rules
    screening = Screening(
        funnels=funnel(funnel_rows(verdicts, origin), groups=list(design.group_keys)),
        asked=[rule for rule in asked_rules(design) if rule not in not_asked],
        excludes={name: rule.use for name, rule in rules.items()},
        stall_ms=rules["R2"].thresholds["stall_ms"],
    )
    return Screened(screening, None, verdicts, names)


def plays_of(export: Path) -> dict[str, Plays]:
    """Counts each session's plays of known speed, and those off speed; empty without plays.csv beside the votes."""
    text = text_beside(export, PLAYS)
    if text is None:
        return {}
    return plays_by_session(_columns(text, ("session_id", "off_speed"), f"{export}: {PLAYS}"))


def completed_of(export: Path, design: Design | None, screened: Screened, origin: Whose) -> Completed | str:
    """Returns the votes of all screened sessions for the multiverse, or the reason why there is none.

    Raises BadInputError if a Parquet file of the votes cannot be read.
    """
    if design is None or screened.verdicts is None:
        return screened.why or NO_VERDICTS
    if not any(hypothesis.pair is not None for hypothesis in design.plan.hypotheses):
        return NO_PLAN
    files = parts_beside(export, EVERY_VOTE)
    if not files:
        return NO_VOTES
    if pq is None:
        return NO_PYARROW
    tables = []
    for name, data in files.items():
        try:
            tables.append(pq.read_table(io.BytesIO(data)))
        except (pa.ArrowException, OSError) as error:
            raise BadInputError(f"{export}: {name} is damaged ({error}); download the export again.") from error
    columns = pa.concat_tables(tables).to_pydict()
    return completed(columns, screened.verdicts, design, origin)


def _columns(
    text: str, names: Sequence[str], where: str, optional: Collection[str] = ()
) -> dict[str, list[str | None]]:
    """Reads these columns of a CSV file, and those of `optional` that it has; an empty cell is None."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    present = rows.fieldnames or ()
    for name in names:
        if name not in present:
            raise BadInputError(f"{where} has no column {name}; {UNMODIFIED}.")
    columns: dict[str, list[str | None]] = {
        name: [] for name in (*names, *(column for column in optional if column in present))
    }
    for row in rows:
        for name, cells in columns.items():
            cells.append(row[name] or None)
    return columns
