"""Counts clips that did not play, by kind of browser; the session only notes that the trial may be skipped."""

from django.db.models import F

from lib.browsers import browser_of
from lib.problems import Problem
from ratings.models import PlayFailure, PlayFault, Session, Trial

# limits what a faulty page can count
MOST_TIMES = 1000


def count(session: Session, position: int, fault: PlayFault, *, user_agent: str) -> None:
    """Count that the clip of a trial did not play; raise Problem 404 where the session has no such trial."""
    Trial.objects.filter(session=session, position=position).update(unplayable=True)
    stimulus = Trial.objects.filter(session=session, position=position).values_list("stimulus_id", flat=True).first()
    if stimulus is None:
        raise Problem(404, "not_found", f"This session has no trial {position}.")
    failure, _ = PlayFailure.objects.get_or_create(
        fielding_id=session.fielding_id, stimulus_id=stimulus, browser=browser_of(user_agent), fault=fault
    )
    PlayFailure.objects.filter(pk=failure.pk, times__lt=MOST_TIMES).update(times=F("times") + 1)
