"""Reads a session's trial under the session's lock, and extends the lease, for plays and votes."""

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from eyelevel_core.assignment.lease import Lease, is_due, lease_by_progress
from eyelevel_core.assignment.server_clock import Answered
from lib.compiled import Compiled, Part
from lib.problems import Problem
from ratings.models import Play, Session, Trial, Vote
from ratings.tombstones import living
from stimuli.models import Clip, Take
from studies.models import Stimulus

# an id that no vote and no play has, because browsers generate random ids
NOBODYS = uuid.UUID(int=0)


@dataclass(frozen=True)
class Place:
    """A trial, with the data that are needed to store a play or a vote in it."""

    trial: Trial
    clip_before: str | None
    plays: int
    # the sessions in which a vote and a play with the given ids are stored, if any
    vote_in: uuid.UUID | None
    play_in: uuid.UUID | None


def _locked(session: uuid.UUID) -> QuerySet[Session]:
    return Session.objects.select_for_update(no_key=True).filter(pk=session)


def _place(session: uuid.UUID, position: int, vote_id: uuid.UUID, play_id: uuid.UUID) -> QuerySet[Trial]:
    before = Trial.objects.filter(session=OuterRef("session"), position=OuterRef("position") - 1)
    plays = Play.objects.filter(trial=OuterRef("pk")).order_by().values("trial").annotate(count=Count("pk"))
    return Trial.objects.filter(session=session, position=position).annotate(
        clip_before=Subquery(before.values("stimulus__clip__sha256")),
        plays_stored=Subquery(plays.values("count")),
        vote_in=Subquery(Vote.with_tombstones.filter(pk=vote_id).values("session")),
        play_in=Subquery(Play.with_tombstones.filter(pk=play_id).values("trial__session")),
    )


def _answered(session: uuid.UUID) -> QuerySet[Trial]:
    last_play = Play.objects.filter(trial=OuterRef("pk")).order_by("-received_at").values("received_at")[:1]
    answered = Trial.objects.filter(session=session).order_by("position")
    return answered.annotate(at=Coalesce("vote__received_at", Subquery(last_play))).filter(at__isnull=False)


LOCKED = Compiled(_locked, parts=(), also=("state", "lease_until", "yields_at"), session=uuid.UUID(int=1))
PLACE = Compiled(
    _place,
    parts=(
        Part(Trial),
        Part(Stimulus, "stimulus"),
        Part(Clip, "stimulus__clip", only=("sha256", "take_id", "right_take_id")),
        Part(Take, "stimulus__clip__take", only=("stack",)),
        Part(Take, "stimulus__clip__right_take", only=("stack",)),
        Part(Vote, "vote", only=("session_id", "position", "received_at")),
    ),
    also=("clip_before", "plays_stored", "vote_in", "play_in"),
    session=uuid.UUID(int=1),
    position=2**31 - 1,
    vote_id=uuid.UUID(int=2),
    play_id=uuid.UUID(int=3),
)

DONE = Compiled(
    _answered,
    parts=(),
    also=("position", "stimulus__clip__duration_ms", "clip_sent_at", "at"),
    session=uuid.UUID(int=1),
)


def place_of(
    session: Session, position: int, *, vote_id: uuid.UUID | None = None, play_id: uuid.UUID | None = None
) -> Place:
    """Lock the session, then read the trial at this position of its plan; raises Problem 422 `invalid`.

    All code that adds to a session or changes its trials locks the session first, so the result stays valid until the
    end of the transaction.
    """
    locked = LOCKED.first(session=session.pk)
    if locked is not None:
        session.state, session.lease_until, session.yields_at = locked[1]
    row = PLACE.first(session=session.pk, position=position, vote_id=vote_id or NOBODYS, play_id=play_id or NOBODYS)
    if row is None:
        raise invalid("position", f"position is {position}, but this session has no such trial.")
    (trial, stimulus, clip, take, right_take, vote), (clip_before, plays, vote_in, play_in) = row
    trial.session, trial.stimulus, stimulus.clip, clip.take, clip.right_take = session, stimulus, clip, take, right_take
    Trial._meta.get_field("vote").set_cached_value(trial, vote)
    return Place(trial, clip_before, plays or 0, vote_in, play_in)


def renew_lease(session: Session, position: int) -> None:
    """Extend the session's lease after plausible progress; the session must be locked."""
    length, now = timedelta(minutes=session.fielding.lease_minutes), timezone.now()
    if not is_due(Lease(living(session.lease_until), living(session.yields_at)), now, length, position):
        return
    lease = lease_by_progress(living(session.started_at), now, length, _done(session))
    if lease is not None:
        keep_longer(session, lease)


def keep_longer(session: Session, lease: Lease) -> None:
    """Store the lease, unless the stored one is longer."""
    granted = Greatest("lease_until", lease.until), Greatest("yields_at", lease.yields_at)
    Session.objects.filter(pk=session.pk).update(lease_until=granted[0], yields_at=granted[1])


def _done(session: Session) -> list[Answered]:
    """The trials that were played or answered, in the form that the server's clock rule needs.

    Nobody can answer before the end of the clip, so all count as played completely, regardless of the page's report.
    """
    rows = (row for _, row in DONE.all(session=session.pk))
    return [Answered(position, duration, sent_at, at, whole_play=True) for position, duration, sent_at, at in rows]


def invalid(field: str, message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": field})


def id_taken(key: uuid.UUID) -> Problem:
    return Problem(409, "id_taken", f"The id {key} is already in use; generate a new one.")
