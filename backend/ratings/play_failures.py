"""Counts clips that did not play, by kind of browser; the session only records that the trial may be skipped."""

from django.db.models import F

from lib.browsers import browser_of
from lib.problems import Problem
from ratings.models import PlayFailure, PlayFault, Session, Trial

# limits the counts of a faulty page
MOST_TIMES = 1000


def count(session: Session, position: int, fault: PlayFault, *, user_agent: str) -> None:
    """Count that the clip of a trial did not play, so that it may be skipped.

    Raises Problem 404 if the session has no such trial.
    """
    trial = Trial.objects.filter(session=session, position=position)
    stimulus = trial.values_list("stimulus_id", flat=True).first()
    if stimulus is None:
        raise Problem(404, "not_found", f"This session has no trial {position}.")
    # only the first report of a trial counts, because a page that is reloaded, or that skips, reports again
    if not trial.exclude(unplayable=True).update(unplayable=True):
        return
    failure, _ = PlayFailure.objects.get_or_create(
        fielding_id=session.fielding_id, stimulus_id=stimulus, browser=browser_of(user_agent), fault=fault
    )
    PlayFailure.objects.filter(pk=failure.pk, times__lt=MOST_TIMES).update(times=F("times") + 1)
