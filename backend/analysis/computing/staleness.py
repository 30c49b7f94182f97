"""Staleness: whether the votes, exclusions and verdicts of a study are those that its last analysis read.

A result that was stored by another version of the program is also stale.

Those of a large study are counted by the worker at intervals (`studies.stored_counts`). Between two counts, a requested
analysis that is not done marks the result as stale.
"""

from datetime import datetime
from typing import Any, Literal

from django.db.models import Count

from analysis.models import AnalysisState
from conformance.exclusions import exclusion_count, exclusion_counts
from conformance.models import Verdict
from conformance.pending import to_judge
from ratings.models import Vote
from studies.models import Fielding, StoredCount, Study
from studies.stored_counts import stored

# of the counts that are stored for a large study
NAME = "analysed_rows"

Freshness = Literal["none", "fresh", "stale", "running"]


def freshness(study_sha256: str, now: datetime) -> tuple[Freshness, AnalysisState | None]:
    """Freshness and state of a study's analysis: `running` while a worker holds the lease, `stale` if data changed.

    Data have changed if the number of votes, exclusions or verdicts differs from those analysed. Completing, judging,
    judging again or erasing a session changes at least one of the three, even if one exclusion replaces another.
    """
    if (row := stored(NAME, [study_sha256]).get(study_sha256)) is not None:
        return _freshness_of_large(study_sha256, row, now)
    # a session counts once it is judged, a moment after its end; if this query came last, a verdict given meanwhile
    # could be missed by both queries
    is_due = to_judge().filter(fielding__study=study_sha256).exists()
    state = _state(study_sha256)
    if state and state.lease_until and state.lease_until > now:
        return "running", state
    votes = Vote.objects.filter(study=study_sha256).count()
    if state is None or state.shown is None:
        # after an erasure, or an update of the program, there are votes but no result that can be shown
        return ("stale" if state is not None and state.votes_read and votes else "none"), state
    exclusions = exclusion_count(study_sha256)
    verdicts = Verdict.objects.filter(session__fielding__study=study_sha256).count()
    is_stale = is_due or _is_behind(state, votes, exclusions, verdicts)
    return ("stale" if is_stale else "fresh"), state


def studies_behind() -> list[str]:
    """Studies whose votes, exclusions or verdicts differ from their last analysis, or with an unanswered request."""
    large = {row.study_id: row for row in StoredCount.objects.filter(name=NAME)}
    # listed by key: with a condition that excludes the large ones, PostgreSQL would read their votes too
    small = list(Study.objects.exclude(pk__in=large).values_list("pk", flat=True))
    votes = dict(Vote.objects.filter(study__in=small).values_list("study").annotate(Count("id")))
    exclusions = exclusion_counts(small)
    fieldings = list(Fielding.objects.filter(study__in=small).values_list("pk", flat=True))
    given = Verdict.objects.filter(session__fielding__in=fieldings)
    verdicts = dict(given.values_list("session__fielding__study").order_by().annotate(Count("id")))
    long = ("result__tables", "result__counts")
    states = {state.study_id: state for state in AnalysisState.objects.select_related("result").defer(*long)}
    behind = {
        study
        for study in {*votes, *states} - {*large}
        if _is_behind(states.get(study), votes.get(study, 0), exclusions.get(study, 0), verdicts.get(study, 0))
    }
    return sorted(behind | {study for study, row in large.items() if _is_large_behind(states.get(study), row)})


def count(study: Study) -> dict[str, Any]:
    """The counts that the worker stores for a large study; reads every session and vote of it."""
    return {
        "votes": Vote.objects.filter(study=study).count(),
        "exclusions": exclusion_count(study.pk),
        "verdicts": Verdict.objects.filter(session__fielding__study=study).count(),
        "is_due": to_judge().filter(fielding__study=study).exists(),
    }


def _freshness_of_large(study_sha256: str, row: StoredCount, now: datetime) -> tuple[Freshness, AnalysisState | None]:
    state = _state(study_sha256)
    if state and state.lease_until and state.lease_until > now:
        return "running", state
    if state is None or state.shown is None:
        return ("stale" if state is not None and state.votes_read and row.value["votes"] else "none"), state
    return ("stale" if row.value["is_due"] or _is_large_behind(state, row) else "fresh"), state


def _is_large_behind(state: AnalysisState | None, row: StoredCount) -> bool:
    counted = row.value["votes"], row.value["exclusions"], row.value["verdicts"]
    if state is not None and state.shown is not None and row.counted_at < state.shown.computed_at:
        # counted before the analysis ran, so the two may differ
        return state.wanted > state.done
    return _is_behind(state, *counted)


def _state(study_sha256: str) -> AnalysisState | None:
    # the list of all sessions in a snapshot is long and not needed here
    states = AnalysisState.objects.select_related("result__snapshot").defer(
        "result__snapshot__session_ids", "result__snapshot__manifest_text"
    )
    return states.filter(study=study_sha256).first()


def _is_behind(state: AnalysisState | None, votes: int, exclusions: int, verdicts: int) -> bool:
    if state is None:
        return votes > 0
    if state.result is not None and not state.result.is_current:
        return True
    read = (state.votes_read, state.exclusions_read, state.verdicts_read)
    return read != (votes, exclusions, verdicts) or state.wanted > state.done
