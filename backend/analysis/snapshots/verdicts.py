"""Rows of verdicts.parquet: a session with its verdict."""

import json
from typing import Any

from conformance.queries import Judged
from eyelevel_stats.conformance import RULES

NO = "no"


def verdict_row(judged: Judged) -> tuple[Any, ...]:
    """In the order of `columns.VERDICTS`. A session that left no vote is counted, and told nothing of."""
    verdict = judged.verdict
    found = {finding["rule"]: finding for finding in judged.findings}
    told = {rule: one["reason"] for rule, one in found.items() if one["broken"] != NO}
    return (
        str(judged.session_id) if judged.has_votes else None,
        judged.group,
        judged.origin,
        judged.state,
        None if verdict is None else yes_or_no(verdict.accepted),
        None if verdict is None else yes_or_no(verdict.used and not judged.left_out_by),
        " ".join(judged.left_out_by) or None,
        *(found[rule]["broken"] if rule in found else None for rule in RULES),
        json.dumps(told, sort_keys=True, ensure_ascii=False) if told and judged.has_votes else None,
    )


def yes_or_no(value: bool | None) -> str:
    """As files say it; null is no."""
    return "yes" if value else NO
