"""How a participant is sent back to the recruiter: at the end of a session, and at every end before it."""

import logging
from collections.abc import Callable, Collection
from typing import Literal
from uuid import UUID

from eyelevel_core.assignment.unplayable import too_many
from eyelevel_core.study.recruiter import EARNED, UNEARNED
from ratings.models import Recruitment, Session, TrialRole
from ratings.recruitment import recruiter_of
from ratings.schemas import Recruiter, Return, WayBack
from studies.models import Fielding

log = logging.getLogger(__name__)

# whether the first verdict on a session accepts it; `conformance` provides it, since this app is below it
Accepted = Callable[[UUID], bool]
_providers: list[Accepted] = []


def provide_verdicts(provider: Accepted) -> None:
    """Called once, when the app `conformance` is ready."""
    _providers[:] = [provider]


def ways_back(fielding: Fielding) -> Recruiter | None:
    """The recruiter, with the ways back that do not pay; null where nobody recruits."""
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        return None
    ways = {end: recruiter.way_back(end) for end in UNEARNED}
    return Recruiter(
        name=recruiter.name,
        id_parameter=recruiter.id_parameter,
        ways_back={end: WayBack(code=way.code, url=way.url) for end, way in ways.items()},
    )


def way_back(session: Session, own_code: str, *, answered: Collection[int]) -> Return | None:
    """The way back of a completed session with answers at these positions; None where nobody recruits."""
    recruiter = recruiter_of(session.fielding)
    if recruiter is None:
        return None
    end = _end(session, answered, separates_failed_checks=recruiter.separates_failed_checks)
    way = recruiter.way_back(end, own_code=own_code)
    known = Recruitment.objects.filter(participant=session.participant_id).first()
    url = way.url and recruiter.filled(
        way.url,
        participant_id=known.recruiter_id if known else "",
        parameters=known.arrival if known else {},
    )
    return Return(recruiter=recruiter.name, end=end, code=way.code or (own_code if end in EARNED else None), url=url)


def _end(
    session: Session, answered: Collection[int], *, separates_failed_checks: bool
) -> Literal["completed", "failed_checks", "incompatible_device"]:
    """How the session ended, for the recruiter.

    The session is judged in this call, but only where the study file defines a way back for `failed_checks`: the code
    must not depend on how busy the worker is.
    """
    # who skips all that the study asks has the window that the page refuses, or a browser that plays too little
    skipped = session.trials.filter(skipped=True, unplayable=True).count()
    if too_many(skipped, session.trials.count()):
        return "incompatible_device"
    if not session.trials.filter(role=TrialRole.MAIN, position__in=answered).exists():
        return "incompatible_device"
    if separates_failed_checks and not _accepted(session.pk):
        return "failed_checks"
    return "completed"


def _accepted(session_id: UUID) -> bool:
    (accepted,) = _providers
    try:
        return accepted(session_id)
    except Exception:
        # a fault of ours costs nobody their pay; the worker judges again
        log.exception("Session %s could not be judged at its end", session_id)
        return True
