"""Staleness: whether the votes, exclusions and verdicts of a study are those that its last analysis read."""

from datetime import datetime
from typing import Literal

from django.db.models import Count

from analysis.models import AnalysisState
from conformance.exclusions import exclusion_count, exclusion_counts
from conformance.models import Verdict
from conformance.pending import to_judge
from ratings.models import Vote

Freshness = Literal["none", "fresh", "stale", "running"]


def freshness(study_sha256: str, now: datetime) -> tuple[Freshness, AnalysisState | None]:
    """`running` while a worker holds the lease, `stale` while votes, exclusions or verdicts differ from those analysed.

    Completing, judging, judging again or erasing a session changes at least one of the three counts, even where the
    number of exclusions stays the same because one reason replaces another.
    """
    # a session counts once it is judged, which takes a moment after its end. If this came last, it could find no
    # session due any more, after the count below had found no verdict yet
    is_due = to_judge().filter(fielding__study=study_sha256).exists()
    state = AnalysisState.objects.select_related("result__snapshot").filter(study=study_sha256).first()
    if state and state.lease_until and state.lease_until > now:
        return "running", state
    votes = Vote.objects.filter(study=study_sha256).count()
    if state is None or state.result is None:
        # for a moment after an erasure there are votes without a result
        return ("stale" if state is not None and state.votes_read and votes else "none"), state
    exclusions = exclusion_count(study_sha256)
    verdicts = Verdict.objects.filter(session__fielding__study=study_sha256).count()
    is_stale = is_due or _is_behind(state, votes, exclusions, verdicts)
    return ("stale" if is_stale else "fresh"), state


def studies_behind() -> list[str]:
    """Studies whose votes, exclusions or verdicts differ from their last analysis, or with an unanswered request."""
    votes = dict(Vote.objects.values_list("study").annotate(Count("id")))
    exclusions = exclusion_counts()
    verdicts = dict(Verdict.objects.values_list("session__fielding__study").order_by().annotate(Count("id")))
    states = {state.study_id: state for state in AnalysisState.objects.all()}
    return sorted(
        study
        for study in {*votes, *states}
        if _is_behind(states.get(study), votes.get(study, 0), exclusions.get(study, 0), verdicts.get(study, 0))
    )


def _is_behind(state: AnalysisState | None, votes: int, exclusions: int, verdicts: int) -> bool:
    if state is None:
        return votes > 0
    read = (state.votes_read, state.exclusions_read, state.verdicts_read)
    return read != (votes, exclusions, verdicts) or state.wanted > state.done
