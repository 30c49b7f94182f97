"""Current funnel of a study: the sessions that remain after each rule, per group."""

from typing import Any

from conformance.queries import Judged, judged_sessions
from eyelevel_stats.conformance import GroupFunnel, Row, funnel
from ratings.models import Origin
from studies.models import Study


def funnel_of(study: Study, *, simulated_too: bool = False) -> list[GroupFunnel]:
    """A funnel per group, in the study's order; of people's sessions, unless `simulated_too`."""
    counted = (judged for judged in judged_sessions(study.sha256) if simulated_too or judged.origin != Origin.SIMULATED)
    return funnel(map(_row, counted), groups=study.design.group_keys)


def _row(judged: Judged) -> Row:
    broken: dict[str, Any] = {finding["rule"]: finding["broken"] for finding in judged.findings}
    return Row(
        group=judged.group,
        completed=judged.completed,
        accepted=judged.verdict is not None and judged.verdict.accepted is True,
        broken=broken or None,
        left_out_by=frozenset(judged.left_out_by),
        skipped=judged.skipped,
    )
