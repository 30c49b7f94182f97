"""Computes the tables in depth of a result from the Parquet files of its snapshot."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from analysis import in_depth
from analysis.columns import VERDICTS_FILE, VOTES_FILE
from analysis.counted import checked_file, counted_plays, counted_votes
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.parquet import read_columns
from eyelevel_core.study.design import Design
from eyelevel_stats.columns import of_sessions
from eyelevel_stats.conformance import RULES, rules_broken
from eyelevel_stats.descriptive.careless import Plays
from eyelevel_stats.in_depth.compute import Completed, InDepth
from eyelevel_stats.in_depth.compute import in_depth as compute

Clock = Callable[[], datetime]


def computed(result: Result, claim: in_depth.Claim, now: Clock) -> InDepth:
    """The tables, and answers about metrics; stores under the claim which part begins."""
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
    broken = rules_broken(verdicts, "all" if origin == ResultOrigin.ALL else "person")
    return Completed(
        columns=of_sessions(read_columns(checked_file(snapshot, VOTES_FILE)), broken),
        broken=broken,
        plan_rules=[rule for rule in RULES if design.conformance.rules[rule].use],
    )
