"""Where the analysis of a study stands, compared with the votes that are there now."""

from collections import Counter
from datetime import datetime
from typing import Literal

from django.db.models import Count

from analysis.models import AnalysisState
from conformance.models import Verdict
from conformance.pending import beyond_quota, to_judge, without_verdict
from ratings.models import Exclusion, Vote

Freshness = Literal["none", "fresh", "stale", "running"]


def freshness(study_sha256: str, now: datetime) -> tuple[Freshness, AnalysisState | None]:
    """`running` while a worker has the turn, `stale` while votes, exclusions or verdicts differ from those analysed.

    A session that is completed, judged, judged again or erased changes one of these in any case: the reason why it is
    left out may change without changing how many are.
    """
    # whoever has just finished counts once they are judged, which takes a moment. Asked last, this could
    # find none due any more, after the count below had found no verdict yet
    is_due = to_judge().filter(fielding__study=study_sha256).exists()
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
    verdicts = Verdict.objects.filter(session__fielding__study=study_sha256).count()
    is_stale = is_due or _is_behind(state, votes, exclusions, verdicts)
    return ("stale" if is_stale else "fresh"), state


def studies_behind() -> list[str]:
    """Studies with other votes, exclusions or verdicts than their last analysis read, or with an unanswered call."""
    votes = dict(Vote.objects.values_list("study").annotate(Count("id")))
    exclusions = Counter(dict(Exclusion.objects.values_list("session__fielding__study").annotate(Count("id"))))
    for left_out in (without_verdict(), beyond_quota()):
        exclusions += Counter(dict(left_out.values_list("fielding__study").annotate(Count("id"))))
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
