"""Resuming of sessions: by the study's policy, a returning participant resumes, restarts or is blocked.

`decide` is a pure function of the policy and the session's state; `comeback` applies it to a session in the database.
`newest_held` returns the participant's newest session, locked. `close` ends a session that a new one replaces.
`hand_over` lets a session continue in a browser that does not have its cookie.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_core.study.design import SessionPolicy
from ratings import slots
from ratings.models import Exclusion, Participant, Play, Session, SessionState, Vote

# the rule that excludes the votes of a session that another one replaced
RESTARTED = "restarted"


class Comeback(StrEnum):
    """Outcome when a participant returns."""

    RESUME = "resume"
    RESTART = "restart"
    BLOCK = "block"


def decide(
    policy: SessionPolicy, *, state: SessionState, seen: bool, last_sign_at: datetime, now: datetime
) -> Comeback:
    """Decide the outcome; `policy` is the design's `session`, `seen` means that a video was played or an answer given.

    A completed session shows its end again. A session in which nothing was seen resumes under every policy. A session
    that is too old for the policy `resume` restarts.
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
    """The outcome if the participant returns to this session."""
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
    """The newest session of the participant, locked until the end of the transaction."""
    held: Session | None = None
    while True:
        sessions = Session.objects.select_related("fielding__study", "participant").filter(participant=participant)
        newest = sessions.order_by("-started_at").first()
        if newest is None or (held is not None and newest.pk == held.pk):
            return newest
        # another tab may have started a new session before the lock was acquired
        hold(newest)
        held = newest


def hold(session: Session) -> None:
    """Lock the session until the end of the transaction, so that it cannot end or get answers."""
    Session.objects.select_for_update().filter(pk=session.pk).first()


def close(session: Session) -> None:
    """End an unfinished session: its votes are kept but excluded, and its quota slots are released."""
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if locked.state != SessionState.STARTED:
            return
        Exclusion.objects.create(session=locked, rule=RESTARTED)
        locked.state = SessionState.RESTARTED
        locked.save(update_fields=["state"])
        slots.reopen_slots(locked)


def hand_over(session: Session, token: str, *, to_owner: bool) -> None:
    """Let a further browser continue the session by `token`; the previous browser keeps its token.

    `to_owner`: this browser has the cookie of an earlier session of the participant, and gets all rights. A browser
    with only the recruiter's id may only answer and finish.
    """
    if to_owner:
        session.other_token_sha256 = session.token_sha256 or session.other_token_sha256
        session.token_sha256 = digest_of(token)
    else:
        session.other_token_sha256 = digest_of(token)
    session.save(update_fields=["token_sha256", "other_token_sha256"])
