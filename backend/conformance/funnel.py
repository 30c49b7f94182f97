"""The current funnel of a study: sessions left after each rule, per group."""

from typing import Any

from conformance.queries import Judged, judged_sessions
from eyelevel_stats.conformance import GroupFunnel, Row, funnel
from studies.models import Study


def funnel_of(study: Study) -> list[GroupFunnel]:
    """One per group of the study, in its order."""
    groups = study.design.group_keys
    return funnel((_row(judged) for judged in judged_sessions(study.sha256)), groups=groups)


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
