"""Where the analysis of a study stands, compared with the votes that are there now."""

from collections import Counter
from datetime import datetime
from typing import Literal

from django.db.models import Count

from analysis.models import AnalysisState
from conformance.waiting import beyond_quota, to_judge, without_verdict
from ratings.models import Exclusion, Vote

Standing = Literal["none", "fresh", "stale", "running"]


def standing(study_sha256: str, now: datetime) -> tuple[Standing, AnalysisState | None]:
    """`running` while a worker has the turn, `stale` while votes, exclusions or verdicts differ from those analysed."""
    state = AnalysisState.objects.select_related("result__snapshot").filter(study=study_sha256).first()
    if state and state.lease_until and state.lease_until > now:
        return "running", state
    votes = Vote.objects.filter(study=study_sha256).count()
    if state is None or state.result is None:
        # after an erasure there are votes without a result for a moment
        return ("stale" if state is not None and state.votes_read and votes else "none"), state
    exclusions = Exclusion.objects.filter(session__fielding__study=study_sha256).count()
    for left_out in (without_verdict(), beyond_quota()):
        exclusions += left_out.filter(fielding__study=study_sha256).count()
    # whoever has just finished counts once they are judged, which takes a moment
    is_stale = _is_behind(state, votes, exclusions) or to_judge().filter(fielding__study=study_sha256).exists()
    return ("stale" if is_stale else "fresh"), state


def studies_behind() -> list[str]:
    """Studies with other votes or exclusions than their last analysis read, or with a call that nobody answered."""
    votes = dict(Vote.objects.values_list("study").annotate(Count("id")))
    exclusions = Counter(dict(Exclusion.objects.values_list("session__fielding__study").annotate(Count("id"))))
    for left_out in (without_verdict(), beyond_quota()):
        exclusions += Counter(dict(left_out.values_list("fielding__study").annotate(Count("id"))))
    states = {state.study_id: state for state in AnalysisState.objects.all()}
    return sorted(
        study
        for study in {*votes, *states}
        if _is_behind(states.get(study), votes.get(study, 0), exclusions.get(study, 0))
    )


def _is_behind(state: AnalysisState | None, votes: int, exclusions: int) -> bool:
    if state is None:
        return votes > 0
    return (state.votes_read, state.exclusions_read) != (votes, exclusions) or state.wanted > state.done
