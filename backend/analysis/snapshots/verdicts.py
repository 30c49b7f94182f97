"""Rows of verdicts.parquet: a session with its verdict."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from conformance.models import Verdict
from conformance.pending import INCOMPLETE, UNJUDGED
from eyelevel_stats.conformance import RULES
from ratings.models import Session
from studies.models import Fielding

NO = "no"
BLOCK_ROWS = 5000


def verdict_rows(
    study_sha256: str, excluded: Mapping[UUID, Collection[str]], voted: Collection[UUID]
) -> Iterator[tuple[Any, ...]]:
    """A row per session that began, in the order of `columns.VERDICTS`, with its newest verdict.

    `excluded` has every reason that excludes a session, `voted` the sessions with a vote. The others are counted, and
    nothing else is said of them.
    """
    fieldings = dict(Fielding.objects.filter(study=study_sha256).values_list("pk", "group"))
    # two streams in the same order: neither is in memory whole
    newest = (
        Verdict.objects.filter(session__fielding__in=fieldings).order_by("session_id", "-id").distinct("session_id")
    )
    verdicts = newest.values_list("session_id", "accepted", "used", "findings").iterator(BLOCK_ROWS)
    verdict = next(verdicts, None)
    sessions = Session.objects.but_previews().filter(fielding__in=fieldings).order_by("pk")
    for session, fielding, origin, state in sessions.values_list("pk", "fielding", "origin", "state").iterator(
        BLOCK_ROWS
    ):
        while verdict is not None and verdict[0] < session:
            verdict = next(verdicts, None)
        own = verdict[1:] if verdict is not None and verdict[0] == session else None
        # that there is no verdict yet is another column
        rules = sorted(reason for reason in excluded.get(session, ()) if reason not in (INCOMPLETE, UNJUDGED))
        named = str(session) if session in voted else None
        yield (named, fieldings[fielding], origin, state, *_of_verdict(own, rules, told=named is not None))


def _of_verdict(
    verdict: tuple[bool | None, bool | None, Any] | None, left_out_by: list[str], *, told: bool
) -> Iterator[Any]:
    """The cells from `accepted` on; `told`: the session is named, so its reasons are stated."""
    accepted, used, findings = verdict or (None, None, None)
    found = {finding["rule"]: finding for finding in findings or ()}
    yield None if verdict is None else yes_or_no(accepted)
    yield None if verdict is None else yes_or_no(used and not left_out_by)
    yield " ".join(left_out_by) or None
    for rule in RULES:
        yield found[rule]["broken"] if rule in found else None
    reasons = {rule: one["reason"] for rule, one in found.items() if one["broken"] != NO}
    yield json.dumps(reasons, sort_keys=True, ensure_ascii=False) if reasons and told else None


def yes_or_no(value: bool | None) -> str:
    """As files say it; null is no."""
    return "yes" if value else NO
