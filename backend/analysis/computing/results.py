"""Computes the results of a snapshot from its Parquet files alone."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from analysis.computing.reduced import Reduced, reduced
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.origins import simulated_started
from analysis.snapshots.columns import VERDICTS_FILE
from analysis.snapshots.counted import counted_votes, demographics_of
from analysis.snapshots.files import checked_columns, fetched_once
from analysis.stored import CLIP_VOTES, RATING_COUNTS, RESULT_FIELDS
from eyelevel_core.study.frozen import read_frozen
from eyelevel_stats import METHOD_VERSION
from eyelevel_stats.conformance import Counted, accounts
from eyelevel_stats.parts.tables import results_of_sums
from eyelevel_stats.result_tables import rows_of
from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES
from eyelevel_stats.votes import answering, with_answers


def compute(snapshot: Snapshot) -> Result:
    """Compute and store the result for people's votes, once for each version of the program.

    If simulated sessions began, a result for all votes is stored beside it. It counts the simulated sessions by
    outcome, even if none of them is used.
    """
    with fetched_once():
        result = _compute(snapshot, ResultOrigin.PERSON)
        if simulated_started(result):
            _compute(snapshot, ResultOrigin.ALL)
    return result


def _compute(snapshot: Snapshot, origin: ResultOrigin) -> Result:
    if stored := Result.objects.filter(Result.current(), snapshot=snapshot, origin=origin).first():
        return stored
    design = read_frozen(snapshot.study.frozen_text).design
    reduction = reduced(snapshot, origin)
    results = results_of_sums(reduction.sums)
    if names := answering(design.plan):
        results = with_answers(
            results, counted_votes(snapshot, origin, names=names), design.plan, planned=design.sessions
        )
    simulated_too = origin == ResultOrigin.ALL
    content = as_json(results, reduction) | {
        "votes": reduction.sums.votes,
        "sessions": len(reduction.used),
        "simulated_sessions": reduction.simulated_sessions,
        "counts": [asdict(row) for row in accounts(_sessions(snapshot, reduction), simulated_too=simulated_too)],
    }
    people = demographics_of(snapshot, design, reduction.used)
    content["tables"] |= {"demographics": [asdict(row) for row in people]}
    # a published result with other fields stays as it is until `turns.finish` publishes this one
    result, _ = Result.objects.get_or_create(
        snapshot=snapshot,
        method_version=METHOD_VERSION,
        fields_sha256=RESULT_FIELDS,
        origin=origin,
        defaults=content | {"computed_at": timezone.now()},
    )
    return result


def _sessions(snapshot: Snapshot, reduction: Reduced) -> Iterator[Counted]:
    """Every session that began, with its number of votes."""
    verdicts = checked_columns(snapshot, VERDICTS_FILE)
    names = ("session_id", "origin", "state", "accepted", "left_out_by")
    for session, origin, state, accepted, left_out_by in zip(*(verdicts[name] for name in names), strict=True):
        yield Counted(
            origin=origin,
            completed=state == "completed",
            judged=accepted is not None,
            left_out_by=frozenset((left_out_by or "").split()),
            votes=reduction.votes.get(session, 0),
        )


def as_json(results: Results, reduction: Reduced) -> dict[str, Any]:
    """The rows of each table in the form of docs/contracts/api.md, ratings by score, and the votes about each clip."""
    everything = results.identical_all
    tables = {name: [asdict(row) for row in rows_of(results, name)] for name in TABLES}
    scores = sorted(reduction.sums.scores.items())
    return {
        "tables": tables
        | {
            RATING_COUNTS: [{"score": score, "count": count} for score, count in scores],
            CLIP_VOTES: {clip: [asdict(row) for row in rows] for clip, rows in reduction.clips.items()},
            "looks": [asdict(look) for look in results.looks],
        },
        "identical_all": None if everything is None else asdict(everything),
    }
