"""Who comes back to a session: by the study's policy it goes on, another one begins, or that was it.

`decide` is pure: policy and facts in, one of three words out; `comeback` asks it about a session in the database.
`newest_held` is what everything is decided about, under its lock. `close` ends a session for good, where another one
takes its place. `hand_over` lets a session go on in a browser that does not have its cookie.
"""

import secrets
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_core.study.design import SessionPolicy
from ratings import slots
from ratings.models import Exclusion, Participant, Play, Session, SessionState, Vote

# the rule that leaves the votes of a session out that another one took the place of
RESTARTED = "restarted"


class Comeback(StrEnum):
    """What becomes of one who comes back."""

    RESUME = "resume"
    RESTART = "restart"
    BLOCK = "block"


def decide(
    policy: SessionPolicy, *, state: SessionState, seen: bool, last_sign_at: datetime, now: datetime
) -> Comeback:
    """`policy` is the design's `session`; `seen` says whether a video was played or an answer given.

    Whoever has finished finds the end again, and whoever has seen nothing yet loses nothing by going on. What a policy
    of `resume` finds too old begins anew.
    """
    if state == SessionState.RESTARTED:
        return Comeback.RESTART
    if state == SessionState.COMPLETED:
        return Comeback.RESUME
    in_time = now - last_sign_at <= timedelta(minutes=policy.resume_within_minutes)
    if policy.resume == "resume" or not seen:
        return Comeback.RESUME if in_time else Comeback.RESTART
    return Comeback(policy.resume)


def comeback(session: Session, *, now: datetime | None = None) -> Comeback:
    """What becomes of one who comes back to this session."""
    signs = [
        Play.objects.filter(trial__session=session).aggregate(last=Max("received_at"))["last"],
        Vote.objects.filter(session=session).aggregate(last=Max("received_at"))["last"],
    ]
    seen = [sign for sign in signs if sign is not None]
    return decide(
        session.fielding.study.design.session,
        state=SessionState(session.state),
        seen=bool(seen),
        last_sign_at=max([session.started_at, *seen]),
        now=now or timezone.now(),
    )


def newest_held(participant: Participant) -> Session | None:
    """The newest session of the participant, held: until the end of the transaction nobody takes its place."""
    held: Session | None = None
    while True:
        own = Session.objects.select_related("fielding__study", "participant").filter(participant=participant)
        newest = own.order_by("-started_at").first()
        if newest is None or (held is not None and newest.pk == held.pk):
            return newest
        # another tab may have begun anew until we have it
        hold(newest)
        held = newest


def hold(session: Session) -> None:
    """Let nobody end this session, or answer in it, until the end of the transaction."""
    Session.objects.select_for_update().filter(pk=session.pk).first()


def close(session: Session) -> None:
    """End an unfinished session for good: its votes stay and are left out, and all of its slots are wanted anew."""
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if locked.state != SessionState.STARTED:
            return
        Exclusion.objects.create(session=locked, rule=RESTARTED)
        locked.state = SessionState.RESTARTED
        locked.save(update_fields=["state"])
        slots.reopen_slots(locked)


def hand_over(session: Session, *, to_owner: bool) -> str:
    """A token of the session for one more browser; the browser before this one keeps its own.

    `to_owner`: they have shown the cookie of an earlier session of theirs, so that this browser may do everything. Who
    is known by the recruiter's id alone may answer and finish.
    """
    token = secrets.token_urlsafe(32)
    if to_owner:
        session.other_token_sha256 = session.token_sha256 or session.other_token_sha256
        session.token_sha256 = digest_of(token)
    else:
        session.other_token_sha256 = digest_of(token)
    session.save(update_fields=["token_sha256", "other_token_sha256"])
    return token
