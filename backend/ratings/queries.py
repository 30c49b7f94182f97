"""Counts of sessions and votes by fielding, study and stimulus, which the researchers' overview of studies shows."""

from collections.abc import Collection

from django.db.models import Count, Q

from ratings.models import Session, SessionState, Vote
from studies.models import StimulusRole


def sessions_by_fielding(fieldings: Collection[int]) -> dict[int, tuple[int, int]]:
    """Sessions started and completed per fielding, without previews; a fielding without sessions is not listed."""
    started = Session.objects.but_previews().filter(fielding__in=fieldings)
    done = Count("pk", filter=Q(state=SessionState.COMPLETED))
    counted = started.values_list("fielding").annotate(started=Count("pk"), completed=done)
    return {key: (begun, completed) for key, begun, completed in counted}


def votes_by_study(studies: Collection[str]) -> dict[str, int]:
    """Votes per study; a study without votes is not listed."""
    return dict(Vote.objects.filter(study__in=studies).values_list("study").annotate(Count("pk")))


def votes_by_stimulus(study_sha256: str) -> dict[tuple[int, str], int]:
    """Votes of one study per stimulus and group, without training and repeats."""
    votes = Vote.objects.filter(study=study_sha256, trial__role__in=StimulusRole.values)
    counted = votes.values_list("trial__stimulus", "session__fielding__group").annotate(Count("pk"))
    return {(stimulus, group): count for stimulus, group, count in counted}
