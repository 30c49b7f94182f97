"""How a participant is sent back to the recruiter: at the end of a session, and at every end before it."""

import logging
from collections.abc import Callable
from typing import Literal
from uuid import UUID

from eyelevel_core.study.recruiter import UNEARNED
from ratings import previews
from ratings.models import Recruitment, Session
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


def way_back(session: Session, own_code: str) -> Return | None:
    """The way back of a completed session; None where nobody recruits.

    Only where the study file has a way of its own for failed checks, the session is judged here, at once: the code
    that a participant hands in must not depend on how busy the worker is.
    """
    recruiter = recruiter_of(session.fielding)
    if recruiter is None:
        return None
    end: Literal["completed", "failed_checks"] = "completed"
    if recruiter.tells_failed_checks and not previews.is_preview(session) and not _accepted(session.pk):
        end = "failed_checks"
    way = recruiter.way_back(end, own_code=own_code)
    known = Recruitment.objects.filter(participant=session.participant_id).first()
    url = way.url and recruiter.filled(
        way.url,
        participant_id=known.recruiter_id if known else "",
        parameters=known.arrival if known else {},
    )
    return Return(recruiter=recruiter.name, end=end, code=way.code or own_code, url=url)


def _accepted(session_id: UUID) -> bool:
    (accepted,) = _providers
    try:
        return accepted(session_id)
    except Exception:
        # a fault of ours costs nobody their pay; the worker judges again
        log.exception("Session %s could not be judged at its end", session_id)
        return True
