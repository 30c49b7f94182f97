"""Computes the results of a snapshot from its Parquet files alone."""

import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.columns import EXCLUSIONS_FILE, PLAYS_FILE, SESSIONS_FILE, VERDICTS_FILE, VOTES_FILE
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.parquet import read_columns
from analysis.snapshots import folder_of
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.study.design import Design
from eyelevel_core.study.frozen import read_frozen
from eyelevel_kinds import KINDS
from eyelevel_stats import METHOD_VERSION, Rating, Results
from eyelevel_stats.conformance import Counted, Whose, accounts
from eyelevel_stats.demographics import DemographicRow, demographics
from eyelevel_stats.tables import TABLES, rows_of
from eyelevel_stats.votes import of_origin, of_sessions, ratings_of, results_of, simulated_sessions

# over all sites, networks and stacks: it says nothing about a stack
RATING_COUNTS = "rating_counts"


class DamagedSnapshotError(Exception):
    """A file of a snapshot is missing, or its digest differs from the manifest."""


def compute(snapshot: Snapshot) -> Result:
    """The result for people's votes by the current method version; computed once and stored.

    If there are simulated sessions to use, the result for all votes is stored beside it.
    """
    result = _compute(snapshot, ResultOrigin.PERSON)
    if result.simulated_sessions:
        _compute(snapshot, ResultOrigin.ALL)
    return result


def _compute(snapshot: Snapshot, origin: ResultOrigin) -> Result:
    named = {"snapshot": snapshot, "method_version": METHOD_VERSION, "origin": origin}
    if found := Result.objects.filter(**named).first():
        return found
    every = counted_votes(snapshot, ResultOrigin.ALL)
    columns = of_origin(every, _whose(origin))
    design = read_frozen(snapshot.study.frozen_text).design
    simulated_too = origin == ResultOrigin.ALL
    own = as_json(results_of(columns, design.plan, planned=design.sessions), ratings_of(columns)) | {
        "votes": len(columns["vote_id"]),
        "sessions": len(set(columns["session_id"])),
        "simulated_sessions": simulated_sessions(every),
        "counts": [asdict(row) for row in accounts(_sessions(snapshot), simulated_too=simulated_too)],
    }
    people = demographics_of(snapshot, design, set(columns["session_id"]))
    own["tables"] |= {"demographics": [asdict(row) for row in people]}
    result, _ = Result.objects.get_or_create(**named, defaults=own)
    return result


def demographics_of(snapshot: Snapshot, design: Design, used: Container[str]) -> tuple[DemographicRow, ...]:
    """The answers about the person in these sessions of the snapshot."""
    columns = read_columns(checked_file(snapshot, SESSIONS_FILE), names=("session_id", "group", "answers"))
    rows = zip(*(columns[name] for name in ("session_id", "group", "answers")), strict=True)
    return demographics(
        design.questions, ((group, json.loads(answers or "{}")) for session, group, answers in rows if session in used)
    )


def _sessions(snapshot: Snapshot) -> Iterator[Counted]:
    """Every session that began, with its number of votes."""
    votes = Counter(read_columns(checked_file(snapshot, VOTES_FILE))["session_id"])
    verdicts = read_columns(checked_file(snapshot, VERDICTS_FILE))
    names = ("session_id", "origin", "state", "accepted", "left_out_by")
    for session, origin, state, accepted, left_out_by in zip(*(verdicts[name] for name in names), strict=True):
        yield Counted(
            origin=origin,
            completed=state == "completed",
            judged=accepted is not None,
            left_out_by=frozenset((left_out_by or "").split()),
            votes=votes[session],
        )


def counted_votes(snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON) -> dict[str, list[Any]]:
    """The columns of the votes of this origin, without those of excluded sessions."""
    return of_origin(_counted(snapshot, VOTES_FILE), _whose(origin))


def counted_plays(snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON) -> dict[str, list[Any]]:
    """The columns of the plays of this origin, without those of excluded sessions."""
    return of_origin(_counted(snapshot, PLAYS_FILE), _whose(origin))


def counted_votes_about(snapshot: Snapshot, clip_sha256: str, origin: ResultOrigin) -> dict[str, list[Any]]:
    """Role, kind and answer of the votes about one clip; of this origin, without those of excluded sessions."""
    answers = {kind.columns[0].name for kind in KINDS.values()}
    names = ("session_id", "origin", "role", "trial_kind", *sorted(answers))
    path = checked_file(snapshot, VOTES_FILE)
    found = _not_excluded(snapshot, read_columns(path, names=names, equal=("clip_sha256", clip_sha256)))
    return of_origin(found, _whose(origin))


def _whose(origin: ResultOrigin) -> Whose:
    """The origin as the statistics name it."""
    return "all" if origin == ResultOrigin.ALL else "person"


def checked_file(snapshot: Snapshot, name: str) -> Path:
    """The path of a file of the snapshot; raises DamagedSnapshotError if its digest differs from the manifest."""
    path = folder_of(snapshot) / name
    if not path.is_file() or sha256_of_file(path) != snapshot.manifest["files"][name]["sha256"]:
        raise DamagedSnapshotError(
            f"{path} is missing or damaged; delete its folder, and the next analysis writes it again."
        )
    return path


def _counted(snapshot: Snapshot, name: str) -> dict[str, list[Any]]:
    return _not_excluded(snapshot, read_columns(checked_file(snapshot, name)))


def _not_excluded(snapshot: Snapshot, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    excluded = set(read_columns(checked_file(snapshot, EXCLUSIONS_FILE))["session_id"])
    return of_sessions(columns, set(columns["session_id"]) - excluded) if excluded else columns


def as_json(results: Results, ratings: Sequence[Rating]) -> dict[str, Any]:
    """The rows of each table as docs/contracts/api.md has them, and the number of ratings with each score."""
    everything = results.identical_all
    tables = {name.removesuffix(".csv"): [asdict(row) for row in rows_of(results, name)] for name in TABLES}
    given = Counter(vote.score for vote in ratings)
    return {
        "tables": tables
        | {
            RATING_COUNTS: [{"score": score, "count": given[score]} for score in sorted(given)],
            "looks": [asdict(look) for look in results.looks],
        },
        "identical_all": None if everything is None else asdict(everything),
    }
