"""Rows of verdicts.parquet: sessions with their verdicts."""

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
    """Yields a row per session that began, with the columns of `columns.VERDICTS` and its newest verdict.

    `excluded` has all reasons that exclude a session, `voted` the sessions with a vote. Rows of other sessions have
    neither id nor reasons.
    """
    fieldings = dict(Fielding.objects.filter(study=study_sha256).values_list("pk", "group"))
    # two streams in the same order, so that neither is in memory as a whole
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
        given = verdict[1:] if verdict is not None and verdict[0] == session else None
        # a missing verdict is visible in another column
        rules = sorted(reason for reason in excluded.get(session, ()) if reason not in (INCOMPLETE, UNJUDGED))
        named = str(session) if session in voted else None
        yield (named, fieldings[fielding], origin, state, *_of_verdict(given, rules, is_named=named is not None))


def _of_verdict(
    verdict: tuple[bool | None, bool | None, Any] | None, left_out_by: list[str], *, is_named: bool
) -> Iterator[Any]:
    """The cells from `accepted` on; `is_named`: the row has the session's id, and so its reasons."""
    accepted, used, findings = verdict or (None, None, None)
    by_rule = {finding["rule"]: finding for finding in findings or ()}
    yield None if verdict is None else yes_or_no(accepted)
    yield None if verdict is None else yes_or_no(used and not left_out_by)
    yield " ".join(left_out_by) or None
    for rule in RULES:
        yield by_rule[rule]["broken"] if rule in by_rule else None
    reasons = {rule: finding["reason"] for rule, finding in by_rule.items() if finding["broken"] != NO}
    yield json.dumps(reasons, sort_keys=True, ensure_ascii=False) if reasons and is_named else None


def yes_or_no(value: bool | None) -> str:
    """The value in files: yes or no; None is no."""
    return "yes" if value else NO
