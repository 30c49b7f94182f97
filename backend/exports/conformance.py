"""conformance.csv and funnel.csv, made from a snapshot's verdicts alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.columns import FILES, VERDICTS_FILE
from analysis.models import ResultOrigin
from eyelevel_core.contracts.columns import Column
from eyelevel_stats.conformance import RULES, GroupFunnel, Row, funnel
from eyelevel_stats.tables import csv_text
from studies.models import Study

CONFORMANCE_FILE, FUNNEL_FILE = "conformance.csv", "funnel.csv"
FUNNEL = (
    Column("group", "string", None, "key of the study's group"),
    Column("step", "string", None, "started, completed, waiting, a rule, another reason, used or accepted"),
    Column("left", "integer", None, "sessions that came so far; of waiting and other reasons: that stopped there"),
    Column("broken", "integer", None, "sessions that broke the rule, whatever the others say; empty for other steps"),
    Column("unknown", "integer", None, "sessions that nobody can judge by the rule; empty for other steps"),
)
Columns = Mapping[str, Sequence[Any]]


def conformance_csv(verdicts: Columns) -> str:
    names = [column.name for column in FILES[VERDICTS_FILE]]
    return csv_text(names, zip(*(verdicts[name] for name in names), strict=True))


def funnel_csv(verdicts: Columns, *, groups: Sequence[str], origin: ResultOrigin) -> str:
    rows = (row for one in funnel(_rows(verdicts, origin), groups=groups) for row in _of_group(one))
    return csv_text([column.name for column in FUNNEL], rows)


def groups_of(study: Study) -> list[str]:
    return list(study.design.group_keys)


def _rows(verdicts: Columns, whose: ResultOrigin) -> Iterator[Row]:
    names = ("group", "origin", "state", "accepted", "left_out_by", *RULES)
    for group, origin, state, accepted, left_out_by, *broken in zip(*(verdicts[name] for name in names), strict=True):
        if whose == ResultOrigin.PERSON and origin == "simulated":
            continue
        yield Row(
            group=group,
            completed=state == "completed",
            accepted=accepted == "yes",
            broken=dict(zip(RULES, broken, strict=True)) if broken[0] is not None else None,
            left_out_by=frozenset((left_out_by or "").split()),
        )


def _of_group(one: GroupFunnel) -> Iterator[tuple[Any, ...]]:
    yield one.group, "started", one.started, None, None
    yield one.group, "completed", one.completed, None, None
    yield one.group, "waiting", one.waiting, None, None
    for step in one.steps:
        yield one.group, step.rule, step.left, step.broken, step.unknown
    for reason, count in one.otherwise.items():
        yield one.group, reason, count, None, None
    yield one.group, "used", one.used, None, None
    yield one.group, "accepted", one.accepted, None, None
