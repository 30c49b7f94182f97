"""Computes the results of a snapshot from its Parquet files alone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from analysis.models import Result, ResultOrigin, Snapshot
from analysis.origins import simulated_started, whose_of
from analysis.snapshots.columns import VERDICTS_FILE, VOTES_FILE
from analysis.snapshots.counted import counted_votes, demographics_of
from analysis.snapshots.files import checked_columns
from analysis.stored import CLIP_VOTES, RATING_COUNTS, RESULT_FIELDS
from eyelevel_core.study.frozen import read_frozen
from eyelevel_stats import METHOD_VERSION
from eyelevel_stats.clip_votes import clip_votes
from eyelevel_stats.columns import Columns, of_origin, simulated_sessions
from eyelevel_stats.conformance import Counted, accounts
from eyelevel_stats.result_tables import rows_of
from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES
from eyelevel_stats.votes import ratings_of, results_of


def compute(snapshot: Snapshot) -> Result:
    """The result for people's votes by this version of the program; computed once and stored.

    If simulated sessions began, the result for all votes is stored beside it: even where none is used, it counts them
    by what became of them.
    """
    result = _compute(snapshot, ResultOrigin.PERSON)
    if simulated_started(result):
        _compute(snapshot, ResultOrigin.ALL)
    return result


def _compute(snapshot: Snapshot, origin: ResultOrigin) -> Result:
    if found := Result.objects.filter(Result.current(), snapshot=snapshot, origin=origin).first():
        return found
    every = counted_votes(snapshot, ResultOrigin.ALL)
    columns = of_origin(every, whose_of(origin))
    design = read_frozen(snapshot.study.frozen_text).design
    simulated_too = origin == ResultOrigin.ALL
    own = as_json(results_of(columns, design.plan, planned=design.sessions), columns) | {
        "votes": len(columns["vote_id"]),
        "sessions": len(set(columns["session_id"])),
        "simulated_sessions": simulated_sessions(every),
        "counts": [asdict(row) for row in accounts(_sessions(snapshot), simulated_too=simulated_too)],
    }
    people = demographics_of(snapshot, design, set(columns["session_id"]))
    own["tables"] |= {"demographics": [asdict(row) for row in people]}
    # beside a published one with other fields, which stays as it is until `turns.finish` publishes this one
    result, _ = Result.objects.get_or_create(
        snapshot=snapshot,
        method_version=METHOD_VERSION,
        fields_sha256=RESULT_FIELDS,
        origin=origin,
        defaults=own | {"computed_at": timezone.now()},
    )
    return result


def _sessions(snapshot: Snapshot) -> Iterator[Counted]:
    """Every session that began, with its number of votes."""
    votes = Counter(checked_columns(snapshot, VOTES_FILE)["session_id"])
    verdicts = checked_columns(snapshot, VERDICTS_FILE)
    names = ("session_id", "origin", "state", "accepted", "left_out_by")
    for session, origin, state, accepted, left_out_by in zip(*(verdicts[name] for name in names), strict=True):
        yield Counted(
            origin=origin,
            completed=state == "completed",
            judged=accepted is not None,
            left_out_by=frozenset((left_out_by or "").split()),
            votes=votes[session],
        )


def as_json(results: Results, columns: Columns) -> dict[str, Any]:
    """The rows of each table as docs/contracts/api.md has them, ratings by score, and the votes about each clip."""
    everything = results.identical_all
    tables = {name: [asdict(row) for row in rows_of(results, name)] for name in TABLES}
    given = Counter(vote.score for vote in ratings_of(columns))
    return {
        "tables": tables
        | {
            RATING_COUNTS: [{"score": score, "count": given[score]} for score in sorted(given)],
            CLIP_VOTES: {clip: [asdict(row) for row in rows] for clip, rows in clip_votes(columns).items()},
            "looks": [asdict(look) for look in results.looks],
        },
        "identical_all": None if everything is None else asdict(everything),
    }
