"""Computes the tables in depth of a result under a claim, from the Parquet files of its snapshot."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, astuple
from datetime import datetime
from functools import partial

from celery.exceptions import SoftTimeLimitExceeded

from analysis import in_depth
from analysis.blinding import in_field
from analysis.columns import VERDICTS_FILE, VOTES_FILE, broken_column
from analysis.counted import checked_file, counted_plays, counted_votes
from analysis.heartbeat import kept_alive
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.parquet import read_columns
from eyelevel_core.study.design import Design
from eyelevel_stats.columns import of_sessions
from eyelevel_stats.conformance import RULES
from eyelevel_stats.descriptive.careless import Plays
from eyelevel_stats.in_depth.compute import Completed, InDepth
from eyelevel_stats.in_depth.compute import in_depth as compute

log = logging.getLogger(__name__)
FAILED = "The tables in depth could not be computed; the reason is in the log of the worker in-depth."
TOO_LONG = "Computing the tables in depth took too long and was stopped."

Clock = Callable[[], datetime]


def run_if_due(result_id: int, now: Clock) -> bool:
    """Compute and publish; False where another worker is at it, it is done, or the study is in the field.

    A failure is logged, and another attempt is queued or, after the last one, a sentence for people is stored; it is
    not raised.
    """
    result = Result.objects.select_related("snapshot__study").filter(pk=result_id).first()
    if result is None:
        return False
    if in_field(result.snapshot.study):
        in_depth.withdraw(result_id)
        return False
    claim = in_depth.claim(result_id, now())
    if claim is None:
        return False
    try:
        try:
            with kept_alive(f"the tables in depth of result {result_id}", partial(in_depth.keep, claim), now):
                found = _compute(result, claim, now)
        except in_depth.LostClaimError:
            raise
        except Exception as error:
            log.exception("The tables in depth of result %s failed.", result_id)
            sentence = TOO_LONG if isinstance(error, SoftTimeLimitExceeded) else FAILED
            in_depth.fail(claim, error=sentence, now=now())
            return False
        tables = {name: [astuple(row) for row in rows] for name, rows in found.tables.items()}
        in_depth.finish(claim, tables=tables, hypotheses=[asdict(row) for row in found.hypotheses], now=now())
    except in_depth.LostClaimError as error:
        log.warning("%s", error)
        return False
    return True


def _compute(result: Result, claim: in_depth.Claim, now: Clock) -> InDepth:
    snapshot, origin = result.snapshot, ResultOrigin(result.origin)
    design = snapshot.study.design

    def advance(part: str, done: int, parts: int) -> None:
        in_depth.progress(claim, part=part, parts_done=done, parts=parts, now=now())

    return compute(
        counted_votes(snapshot, origin),
        design.plan,
        plays=plays_of(snapshot, origin),
        completed=completed_of(snapshot, origin, design),
        advance=advance,
    )


def plays_of(snapshot: Snapshot, origin: ResultOrigin) -> dict[str, Plays]:
    """Plays of each session whose speed is known, and those of them that were off speed."""
    columns = counted_plays(snapshot, origin)
    pairs = zip(columns["session_id"], columns["off_speed"], strict=True)
    known = Counter((session, value) for session, value in pairs if value is not None)
    return {session: Plays(known[session, "yes"] + known[session, "no"], known[session, "yes"]) for session, _ in known}


def completed_of(snapshot: Snapshot, origin: ResultOrigin, design: Design) -> Completed:
    """The votes of judged sessions that only rules may exclude, with the rules that each certainly breaks.

    Sessions over quota, and others that are excluded for another reason than a rule, are left out.
    """
    verdicts = read_columns(checked_file(snapshot, VERDICTS_FILE))
    names = ("session_id", "origin", "state", "accepted", "left_out_by", *map(broken_column, RULES))
    broken: dict[str, set[str]] = {}
    for session, whose, state, accepted, left_out_by, *found in zip(*(verdicts[name] for name in names), strict=True):
        if session is None or state != "completed" or accepted is None:
            continue
        if origin == ResultOrigin.PERSON and whose == "simulated":
            continue
        if set((left_out_by or "").split()) <= set(RULES):
            broken[session] = {rule for rule, value in zip(RULES, found, strict=True) if value == "yes"}
    return Completed(
        columns=of_sessions(read_columns(checked_file(snapshot, VOTES_FILE)), broken),
        broken=broken,
        plan_rules=[rule for rule in RULES if design.conformance.rules[rule].use],
    )
