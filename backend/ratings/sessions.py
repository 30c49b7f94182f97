"""A session until its end: start with a plan, answers about the person, release of abandoned slots."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_kinds import KINDS
from lib.problems import Problem, not_found
from ratings import rate_limit, recruitment, slots
from ratings.models import Origin, Participant, PersonAnswers, Session, SessionState, Trial
from ratings.plans import plan_session
from studies.fieldings import cells_of
from studies.models import Fielding, FieldingState, Slot, SlotState, Study


@dataclass(frozen=True)
class Screen:
    """The participant's window, in CSS pixels."""

    width_px: int
    height_px: int
    device_pixel_ratio: float


class BegunMeanwhileError(Exception):
    """The same person has just started a session by another request; repeating the request finds it."""


@dataclass(frozen=True)
class Arrival:
    """How a participant arrives: recruiter's id (None: not recruited), origin, participant of an earlier session."""

    recruiter_id: str | None = None
    origin: Origin = Origin.PERSON
    # set if the session replaces an earlier one
    participant: Participant | None = None
    # false in another browser than before, where only the recruiter's id identifies the participant
    by_owner: bool = True
    # of the link
    parameters: Mapping[str, str] = field(default_factory=dict)


def start(
    slug: str,
    *,
    language: str,
    consent_version: str,
    screen: Screen,
    arrival: Arrival | None = None,
    token: str | None = None,
) -> tuple[Session, str]:
    """Create a session with its plan, and the token for its cookie; for a new participant unless `arrival` names one.

    `token`: the same for repeated requests of one click (see `cookies.new_token`); random by default.

    Runs in one transaction with the fielding's row locked, so that two sessions never get the same slot. Raises
    Problem 404, 409 `not_open`, 429 `busy`, 422 `invalid` with the field or `recruit_missing`, and BegunMeanwhileError.
    """
    arrival = arrival or Arrival()
    found = Fielding.objects.select_related("study").filter(slug=slug).first()
    if found is None:
        raise not_found("such study")
    design = found.study.design
    check_choice("language", language, design.languages)
    check_choice("consent_version", consent_version, [design.consent.version])
    _check_kinds(found.study)
    # simulated participants are not paid and need no id
    if arrival.origin == Origin.PERSON and arrival.recruiter_id is None:
        recruitment.check_known(found, arrival.participant)
    # read what never changes before the lock makes others wait
    cells = cells_of(found.study)
    token = token or secrets.token_urlsafe(32)
    with transaction.atomic():
        fielding = slots.lock(found.pk)
        now = timezone.now()
        _check_open(fielding, now=now)
        fielding.sessions_numbered += 1
        fielding.save(update_fields=["sessions_numbered"])
        session = Session.objects.create(
            participant=_participant(found, arrival),
            fielding=fielding,
            number=fielding.sessions_numbered,
            origin=arrival.origin,
            token_sha256=digest_of(token) if arrival.by_owner else None,
            other_token_sha256=None if arrival.by_owner else digest_of(token),
            language=language,
            consent_version=consent_version,
            screen_width_px=screen.width_px,
            screen_height_px=screen.height_px,
            device_pixel_ratio=screen.device_pixel_ratio,
            lease_until=now + rate_limit.FIRST_LEASE,
            unknown_parameters=recruitment.unknown_parameters(found, arrival.parameters),
        )
        plan_session(session, design, cells)
    return session, token


def _check_kinds(study: Study) -> None:
    """A study asks what it was frozen with: no analysis pools votes of two versions of a kind."""
    for name, version in study.content.kinds.items():
        if KINDS[name].version != version:
            message = (
                f"This study was published with version {version} of {name}, and this platform asks version "
                f"{KINDS[name].version}; publish the study again."
            )
            raise Problem(409, "not_open", message)


def _check_open(fielding: Fielding, *, now: datetime) -> None:
    if fielding.state == FieldingState.OPEN:
        rate_limit.check_pace(fielding, now=now)
        if not _has_open_slot(fielding):
            rate_limit.make_room(fielding, now=now)
    if fielding.state != FieldingState.OPEN or not _has_open_slot(fielding):
        raise Problem(409, "not_open", "This study accepts no participants at the moment.")


def _has_open_slot(fielding: Fielding) -> bool:
    return Slot.objects.filter(fielding=fielding, state=SlotState.OPEN).exists()


def _participant(fielding: Fielding, arrival: Arrival) -> Participant:
    if arrival.participant is not None:
        if arrival.by_owner:
            recruitment.renew_parameters(fielding, arrival.participant, arrival.parameters)
        return arrival.participant
    if arrival.recruiter_id is None:
        return Participant.objects.create()
    participant = recruitment.enrol(fielding, arrival.recruiter_id, arrival.parameters)
    # checked again under the lock: two tabs with one id may have arrived at once
    if participant.sessions.exists():
        raise BegunMeanwhileError
    return participant


def answer_person(session: Session, answers: Mapping[str, str]) -> None:
    """Store the answers about the person; raises Problem 422 that names the question, or 409 `completed`."""
    questions = {question.key: question for question in session.fielding.study.design.questions}
    for key, choice in answers.items():
        check_choice("answers", key, list(questions))
        check_choice(f"answers.{key}", choice, [item.key for item in questions[key].choices])
    for key, question in questions.items():
        if question.required and key not in answers:
            raise Problem(422, "invalid", f"answers.{key} is missing.", details={"field": f"answers.{key}"})
    with transaction.atomic():
        if Session.objects.select_for_update().get(pk=session.pk).state == SessionState.COMPLETED:
            raise Problem(409, "completed", "The session is complete; the answers about you can no longer change.")
        PersonAnswers.objects.update_or_create(session=session, defaults={"answers": dict(answers)})
    # activity, but no play yet; never shortens a lease that a play has extended
    until = timezone.now() + rate_limit.FIRST_LEASE
    Session.objects.filter(pk=session.pk, lease_until__lt=until).update(lease_until=until)


def release_abandoned() -> int:
    """Release the slots of sessions whose lease has expired; returns how many sessions. Late votes are stored."""
    over = Session.objects.filter(state=SessionState.STARTED, lease_until__lt=timezone.now())
    holding = over.filter(Exists(Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False)))
    released = 0
    for fielding in sorted(set(holding.values_list("fielding_id", flat=True))):
        with transaction.atomic():
            released += slots.release(slots.lock(fielding), holding)
    return released


def check_choice(field: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        message = f"{field} is {value!r}, but must be one of {', '.join(allowed)}."
        raise Problem(422, "invalid", message, details={"field": field})
