"""Previews: a researcher takes a study as a participant would, without leaving data.

Each answer is stored with all checks and rolled back at once. Only the session records which positions and questions
are answered, with their receipts, so that a preview continues after a reload. A preview has no quota slot, no session
number and no completion code, and is never counted.
"""

import random
import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_core.assignment.trial_order import trial_order
from eyelevel_core.study.design import Design
from lib.problems import Problem
from ratings import completion, control_questions, plays, sessions, votes
from ratings.models import Origin, Participant, Play, Session, SessionState, Trial, Vote
from ratings.plans import Beginning, without_slots, write
from ratings.tombstones import living
from studies.fieldings import cells_of
from studies.models import Fielding

# not a code that anybody is paid for
CODE = "PREVIEW"
KEPT = timedelta(days=7)
Given = TypeVar("Given")


def is_preview(session: Session) -> bool:
    return session.origin == Origin.PREVIEW


def start(fielding: Fielding, *, language: str, consent_version: str, screen: sessions.Screen) -> tuple[Session, str]:
    """Create a preview with its own plan, and the token for its cookie; works in every state of the fielding.

    Raises Problem 422 with the field, as starting a session does.
    """
    design = fielding.study.design
    sessions.check_choice("language", language, design.languages)
    sessions.check_choice("consent_version", consent_version, [design.consent.version])
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    with transaction.atomic():
        _forget(begun_before=now - KEPT)
        session = Session.objects.create(
            participant=Participant.objects.create(),
            fielding=fielding,
            number=None,
            origin=Origin.PREVIEW,
            preview={"person": False, "answered": {}, "controls": []},
            token_sha256=digest_of(token),
            language=language,
            consent_version=consent_version,
            screen_width_px=screen.width_px,
            screen_height_px=screen.height_px,
            device_pixel_ratio=screen.device_pixel_ratio,
            lease_until=now,
        )
        _write_plan(session, design)
    return session, token


def take_vote(session: Session, vote_id: uuid.UUID, answer: votes.Answer, play: plays.Playback | None = None) -> Vote:
    """The vote that would have been stored; raises what `votes.take_vote` does."""
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        kept = _kept(locked)["answered"].get(str(answer.position))
        vote = _undone(lambda: votes.take_vote(session, vote_id, answer, play))
        if kept is None:
            at = living(vote.received_at).isoformat()
            _kept(locked)["answered"][str(answer.position)] = {"id": str(vote_id), "at": at}
            locked.save(update_fields=["preview"])
        elif kept["id"] != str(vote_id):
            message = f"Trial {answer.position} already has an answer, which cannot be changed."
            raise Problem(409, "already_answered", message)
        else:
            vote.received_at = datetime.fromisoformat(kept["at"])
    return vote


def take_play(session: Session, position: int, playback: plays.Playback) -> Play:
    """The play that would have been stored; raises what `plays.take_play` does."""
    return _undone(lambda: plays.take_play(session, position, playback))


def answer_person(session: Session, answers: Mapping[str, str]) -> None:
    """Take note that the person was asked; raises what `sessions.answer_person` does."""
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        _undone(lambda: sessions.answer_person(session, answers))
        _kept(locked)["person"] = True
        locked.save(update_fields=["preview"])


def answer_control(session: Session, key: str, choice: str) -> None:
    """Take note of the answer; raises what `control_questions.answer_control` does."""
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        _undone(lambda: control_questions.answer_control(session, key, choice))
        if key not in controls_answered(locked):
            _kept(locked)["controls"].append(key)
            locked.save(update_fields=["preview"])


def finish(session: Session, *, skipped: Sequence[int]) -> str:
    """The end, once every trial is answered or skipped; raises what `completion.finish` does."""
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if locked.state != SessionState.COMPLETED:
            trials = {trial.position: trial.kind for trial in locked.trials.all()}
            design = session.fielding.study.design
            unasked = control_questions.unanswered(design, controls_answered(locked))
            completion.check_skipped(design, trials, answered=answered(locked), skipped=skipped)
            completion.check_end(trials, answered=answered(locked), skipped=skipped, unasked=unasked)
            locked.state, locked.completed_at = SessionState.COMPLETED, timezone.now()
            locked.save(update_fields=["state", "completed_at"])
    return CODE


def answered(session: Session) -> list[int]:
    """Positions of the trials that have an answer."""
    return sorted(int(position) for position in _kept(session)["answered"])


def person_answered(session: Session) -> bool:
    return bool(_kept(session)["person"])


def controls_answered(session: Session) -> list[str]:
    """Keys of the control questions that have an answer."""
    return list(_kept(session)["controls"])


def _kept(session: Session) -> dict[str, Any]:
    if session.preview is None:
        raise TypeError("a session that is no preview was treated as one")
    kept: dict[str, Any] = session.preview
    return kept


def _undone(take: Callable[[], Given]) -> Given:
    """The result of `take`, with its database changes rolled back."""
    with transaction.atomic():
        given = take()
        transaction.set_rollback(True)
    return given


def _write_plan(session: Session, design: Design) -> None:
    """Write trials as if nobody had taken part yet, with a random seed of their own for each preview."""
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - a draw of clips, no secret
    cells = cells_of(session.fielding.study)
    main, identical = without_slots(design.blocks, cells, rng)
    entries = trial_order(design, cells, main, identical=identical, turn=rng.randrange(1, 1_000_000), rng=rng)
    write(session, entries, Beginning(session.fielding, design, cells), {})


def _forget(*, begun_before: datetime) -> None:
    old = Session.objects.filter(origin=Origin.PREVIEW, started_at__lt=begun_before)
    people = list(old.values_list("participant", flat=True))
    Trial.objects.filter(session__in=old).delete()
    old.delete()
    Participant.objects.filter(pk__in=people, sessions=None).delete()
