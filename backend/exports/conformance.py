"""The files conformance.csv and funnel.csv, computed from a snapshot's verdicts alone."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from analysis.models import ResultOrigin
from analysis.origins import statistics_origin
from analysis.snapshots.columns import FILES, VERDICTS_FILE
from analysis.snapshots.verdicts import yes_or_no
from eyelevel_core.study.design import Design
from eyelevel_core.tables import Column, csv_text
from eyelevel_stats.conformance import (
    NOT_ASKED,
    RULES,
    GroupFunnel,
    asked_rules,
    broken_column,
    funnel,
    funnel_rows,
)

CONFORMANCE_FILE, FUNNEL_FILE = "conformance.csv", "funnel.csv"
FUNNEL = (
    Column("group", "string", None, "key of the study's group"),
    Column("step", "string", None, "started, completed, waiting, a rule, another reason, used or accepted"),
    Column("left", "integer", None, "sessions that passed this step; for waiting and other reasons: stopped there"),
    Column("broken", "integer", None, "sessions that broke the rule, alone or with others; empty for other steps"),
    Column("asked", "string", None, "yes or no: the rule can be broken in this study; empty for other steps"),
    Column("unknown", "integer", None, "sessions without enough evidence to apply the rule; empty for other steps"),
)
Columns = Mapping[str, Sequence[Any]]


def conformance_csv(verdicts: Columns) -> str:
    names = [column.name for column in FILES[VERDICTS_FILE]]
    return csv_text(names, zip(*(verdicts[name] for name in names), strict=True))


def with_not_asked(verdicts: Columns, design: Design) -> dict[str, Sequence[Any]]:
    """The verdicts, with rules that do not apply to the study marked as not asked."""
    marked = dict(verdicts)
    for rule in set(RULES) - set(asked_rules(design)):
        name = broken_column(rule)
        marked[name] = [value if value in (None, "yes") else NOT_ASKED for value in verdicts[name]]
    return marked


def funnel_csv(verdicts: Columns, *, design: Design, origin: ResultOrigin) -> str:
    asked = asked_rules(design)
    funnels = funnels_of(verdicts, design=design, origin=origin)
    rows = (row for group in funnels for row in _of_group(group, asked))
    return csv_text([column.name for column in FUNNEL], rows)


def funnels_of(verdicts: Columns, *, design: Design, origin: ResultOrigin) -> list[GroupFunnel]:
    """The funnel of each group as of the snapshot, without the number of sessions that skipped trials."""
    return funnel(funnel_rows(verdicts, statistics_origin(origin)), groups=list(design.group_keys))


def _of_group(group_funnel: GroupFunnel, asked: Collection[str]) -> Iterator[tuple[Any, ...]]:
    yield group_funnel.group, "started", group_funnel.started, None, None, None
    yield group_funnel.group, "completed", group_funnel.completed, None, None, None
    yield group_funnel.group, "waiting", group_funnel.waiting, None, None, None
    for step in group_funnel.steps:
        is_asked = step.rule in asked or step.broken > 0
        yield (
            group_funnel.group,
            step.rule,
            step.left,
            step.broken,
            yes_or_no(is_asked),
            step.unknown if is_asked else None,
        )
    for reason, count in group_funnel.otherwise.items():
        yield group_funnel.group, reason, count, None, None, None
    yield group_funnel.group, "used", group_funnel.used, None, None, None
    yield group_funnel.group, "accepted", group_funnel.accepted, None, None, None
