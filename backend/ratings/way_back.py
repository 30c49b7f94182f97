"""Ways back to the recruiter: for a completed session, and for every earlier end of participation."""

import logging
from collections.abc import Callable, Collection
from typing import Literal
from uuid import UUID

from eyelevel_core.assignment.unplayable import too_many
from eyelevel_core.study.recruiter import EARNED, UNEARNED
from ratings.models import Recruitment, Session, TrialRole
from ratings.schemas import Recruiter, Return, WayBack
from studies.models import Fielding

log = logging.getLogger(__name__)

# whether the first verdict on a session accepts it; `conformance` provides it, because this app must not import it
Accepted = Callable[[UUID], bool]
_providers: list[Accepted] = []


def provide_verdicts(provider: Accepted) -> None:
    """Register the provider of verdicts; call it once, when the app `conformance` is ready."""
    _providers[:] = [provider]


def ways_back(fielding: Fielding) -> Recruiter | None:
    """The recruiter, with the ways back without payment; None if the fielding has no recruiter."""
    recruiter = fielding.recruiter
    if recruiter is None:
        return None
    ways = {end: recruiter.way_back(end) for end in UNEARNED}
    return Recruiter(
        name=recruiter.name,
        id_parameter=recruiter.id_parameter,
        ways_back={end: WayBack(code=way.code, url=way.url) for end, way in ways.items()},
    )


def way_back(session: Session, own_code: str, *, answered: Collection[int]) -> Return | None:
    """The way back of a completed session with answers at these positions; None if it has no recruiter."""
    recruiter = session.fielding.recruiter
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
    """The end of the session, for the recruiter.

    The session is judged in this call, because the code must not depend on the worker's load, but only if the study
    file defines a way back for `failed_checks`.
    """
    # a participant who skips too much has a window that is too small, or a browser that does not play the clips
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
        # an error of the platform must not cost a participant their payment; the worker judges again
        log.exception("Session %s could not be judged at its end", session_id)
        return True
