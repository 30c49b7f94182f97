"""Previews: a researcher takes part in a study like a participant, without storing data.

Each answer is stored with all checks and immediately rolled back. Only the session records which positions and
questions are answered, with their receipts, so that a preview continues after a reload. A preview has no quota slots,
session number or completion code, and is never counted.
"""

import random
import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_core.assignment.trial_order import trial_order
from eyelevel_core.study.design import Design
from lib.problems import Problem
from ratings import completion, control_questions, plays, sessions, votes
from ratings.models import Origin, Participant, Play, PlayFault, Session, SessionState, Vote
from ratings.plans import Beginning, without_slots, write
from ratings.store import Store
from ratings.tombstones import living
from studies.fieldings import cells_of
from studies.models import Fielding

# no participant is paid for this code
CODE = "PREVIEW"


def start(fielding: Fielding, *, language: str, consent_version: str, screen: sessions.Screen) -> tuple[Session, str]:
    """Create a preview with a plan, and return it with the token for its cookie; works in any state of the fielding.

    Raises Problem 422 with the field, as `sessions.start` does.
    """
    design = fielding.study.design
    sessions.check_choice("language", language, design.languages)
    sessions.check_choice("consent_version", consent_version, [design.consent.version])
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    with transaction.atomic():
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
            yields_at=now,
        )
        _write_plan(session, design)
    return session, token


def store_of(session: Session) -> Store:
    """The store for the answers of this session."""
    return Preview(session) if session.is_preview else Store(session)


class Preview(Store):
    """Store of a preview, which stores answers with all checks, and rolls them back."""

    def take_vote(self, vote_id: uuid.UUID, answer: votes.Answer, play: plays.Playback | None = None) -> Vote:
        with self._record() as record:
            with _undone():
                vote = super().take_vote(vote_id, answer, play)
            given = {"id": str(vote_id), "at": living(vote.received_at).isoformat()}
            first = record["answered"].setdefault(str(answer.position), given)
            if first["id"] != str(vote_id):
                message = f"Trial {answer.position} already has an answer, which cannot be changed."
                raise Problem(409, "already_answered", message)
        vote.received_at = datetime.fromisoformat(first["at"])
        return vote

    def take_play(self, position: int, playback: plays.Playback) -> Play:
        with _undone():
            return super().take_play(position, playback)

    def count_play_failure(self, position: int, fault: PlayFault, *, user_agent: str) -> None:
        with self._record() as record:
            with _undone():
                super().count_play_failure(position, fault, user_agent=user_agent)
            record["unplayable"] = [*record.get("unplayable", ()), position]

    def answer_person(self, answers: Mapping[str, str]) -> None:
        with self._record() as record:
            with _undone():
                super().answer_person(answers)
            record["person"] = True

    def answer_control(self, key: str, choice: str) -> None:
        with self._record() as record:
            with _undone():
                super().answer_control(key, choice)
            if key not in record["controls"]:
                record["controls"].append(key)

    def finish(self, *, skipped: Sequence[int], by_owner: bool) -> str:
        with transaction.atomic():
            locked = _locked(self.session)
            if locked.state != SessionState.COMPLETED:
                kinds = {trial.position: trial.kind for trial in locked.trials.all()}
                design, here = self.session.fielding.study.design, Preview(locked)
                answered = here.answered()
                unasked = control_questions.unanswered(design, here.controls_answered())
                completion.check_skipped(
                    design,
                    kinds,
                    answered=answered,
                    skipped=skipped,
                    unplayable=_noted(self.session).get("unplayable", ()),
                )
                completion.check_end(kinds, answered=answered, skipped=skipped, unasked=unasked)
                locked.state, locked.completed_at = SessionState.COMPLETED, timezone.now()
                locked.save(update_fields=["state", "completed_at"])
        return CODE

    def answered(self) -> list[int]:
        return sorted(int(position) for position in _noted(self.session)["answered"])

    def person_answered(self) -> bool:
        return bool(_noted(self.session)["person"])

    def controls_answered(self) -> list[str]:
        return list(_noted(self.session)["controls"])

    @contextmanager
    def _record(self) -> Iterator[dict[str, Any]]:
        """Yields the session's record of answers, locked, and stores it at the end."""
        with transaction.atomic():
            locked = _locked(self.session)
            yield _noted(locked)
            locked.save(update_fields=["preview"])


@contextmanager
def _undone() -> Iterator[None]:
    """Roll back all changes of the block in the database."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _locked(session: Session) -> Session:
    return Session.objects.select_for_update().get(pk=session.pk)


def _noted(session: Session) -> dict[str, Any]:
    if session.preview is None:
        raise TypeError(f"the session {session.pk} is not a preview")
    noted: dict[str, Any] = session.preview
    return noted


def _write_plan(session: Session, design: Design) -> None:
    """Store trials as if nobody had taken part yet, with a new random seed for each preview."""
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - a draw of clips, no secret
    cells = cells_of(session.fielding.study)
    main, identical = without_slots(design.blocks, cells, rng)
    entries = trial_order(design, cells, main, identical=identical, turn=rng.randrange(1, 1_000_000), rng=rng)
    write(session, entries, Beginning(session.fielding, design, cells), {})
