"""Sessions before completion: start with a plan, answers about the person, release of abandoned slots."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_core.assignment.lease import first_lease, lease_after_answers
from eyelevel_kinds import KINDS
from lib.problems import Problem, not_found
from lib.room import demand_reserve
from ratings import plans, rate_limit, recruitment, slots
from ratings.claims import claim, not_open
from ratings.models import Origin, Participant, PersonAnswers, Session, SessionState, Trial
from ratings.plans import Beginning
from ratings.tombstones import living
from ratings.trials import keep_longer
from studies.fieldings import cells_of_published
from studies.models import Fielding, FieldingState, Study


@dataclass(frozen=True)
class Screen:
    """The participant's window, in CSS pixels."""

    width_px: int
    height_px: int
    device_pixel_ratio: float


class BegunMeanwhileError(Exception):
    """The same person has just started a session by another request, which a repeated request finds."""


@dataclass(frozen=True)
class Arrival:
    """Arrival of a participant: recruiter's id (None if not recruited), origin, participant of an earlier session."""

    recruiter_id: str | None = None
    origin: Origin = Origin.PERSON
    # set if the session replaces an earlier one
    participant: Participant | None = None
    # false in another browser than before, in which only the recruiter's id identifies the participant
    by_owner: bool = True
    # parameters of the link
    parameters: Mapping[str, str] = field(default_factory=dict)


def start(
    fielding: Fielding,
    *,
    language: str,
    consent_version: str,
    screen: Screen,
    arrival: Arrival | None = None,
    token: str | None = None,
) -> tuple[Session, str]:
    """Create a session with its plan, for a new participant unless `arrival` has one; returns it with its token.

    `token`: the same for repeated requests of one click (see `cookies.new_token`); random by default.

    Runs in one transaction: checks, claims the share of the session (see `claims.claim`), stores session and trials.
    Raises Problem 409 `not_open`, 429 `busy`, 422 `invalid` with the field or `recruit_missing`, 507 `no_room`, and
    BegunMeanwhileError.
    """
    demand_reserve("taking part")
    arrival = arrival or Arrival()
    design = fielding.study.design
    check_choice("language", language, design.languages)
    check_choice("consent_version", consent_version, [design.consent.version])
    _check_kinds(fielding.study)
    # simulated participants are not paid and need no id
    if arrival.origin == Origin.PERSON and arrival.recruiter_id is None:
        recruitment.check_known(fielding, arrival.participant)
    cells = cells_of_published(fielding.study)
    token = token or secrets.token_urlsafe(32)
    with rate_limit.short_waits():
        now = timezone.now()
        lease = first_lease(now)
        _check_open(fielding, now=now)
        participant, known = _participant(fielding, arrival)
        met = plans.settings_met(participant, fielding.study_id, cells) if known else set()
        beginning = Beginning(fielding, design, cells, met)
        share = claim(beginning, simulated=arrival.origin == Origin.SIMULATED)
        session = Session.objects.create(
            participant=participant,
            fielding=fielding,
            number=share.number,
            origin=arrival.origin,
            token_sha256=digest_of(token) if arrival.by_owner else None,
            other_token_sha256=None if arrival.by_owner else digest_of(token),
            language=language,
            consent_version=consent_version,
            screen_width_px=screen.width_px,
            screen_height_px=screen.height_px,
            device_pixel_ratio=screen.device_pixel_ratio,
            started_at=now,
            lease_until=lease.until,
            yields_at=lease.yields_at,
            unknown_parameters=recruitment.unknown_parameters(fielding, arrival.parameters),
        )
        plans.write_plan(session, beginning, share)
    return session, token


def _check_kinds(study: Study) -> None:
    """Raise Problem 409 unless all kinds have the frozen version, so that no analysis pools votes of two versions."""
    for name, version in study.content.kinds.items():
        if KINDS[name].version != version:
            message = (
                f"This study was published with version {version} of {name}, but this platform has version "
                f"{KINDS[name].version}; publish the study again."
            )
            raise Problem(409, "not_open", message)


def fielding_of(slug: str) -> Fielding:
    """The fielding with its study, whose long frozen text is deferred; raises Problem 404."""
    fielding = Fielding.objects.select_related("study").defer("study__frozen_text").filter(slug=slug).first()
    if fielding is None:
        raise not_found("such study")
    return fielding


def _check_open(fielding: Fielding, *, now: datetime) -> None:
    if fielding.state != FieldingState.OPEN:
        raise not_open()
    rate_limit.check_pace(fielding, now=now)


def _participant(fielding: Fielding, arrival: Arrival) -> tuple[Participant, bool]:
    """The participant, and whether they have had a session before."""
    if arrival.participant is not None:
        if arrival.by_owner:
            recruitment.renew_parameters(fielding, arrival.participant, arrival.parameters)
        return arrival.participant, True
    if arrival.recruiter_id is None:
        return Participant.objects.create(), False
    participant = recruitment.enrol(fielding, arrival.recruiter_id, arrival.parameters)
    # two tabs with one id may have arrived concurrently: the second waits here, and finds the session of the first
    Participant.objects.select_for_update().get(pk=participant.pk)
    if participant.sessions.exists():
        raise BegunMeanwhileError
    return participant, False


def answer_person(session: Session, answers: Mapping[str, str]) -> None:
    """Store the answers about the person; raises Problem 422 with the question, or 409 `completed`."""
    questions = {question.key: question for question in session.fielding.study.design.questions}
    for key, choice in answers.items():
        check_choice("answers", key, list(questions))
        check_choice(f"answers.{key}", choice, [item.key for item in questions[key].choices])
    for key, question in questions.items():
        if question.required and key not in answers:
            message = f"answers.{key} is missing, but the question is required."
            raise Problem(422, "invalid", message, details={"field": f"answers.{key}"})
    with transaction.atomic():
        if Session.objects.select_for_update().get(pk=session.pk).state == SessionState.COMPLETED:
            raise Problem(409, "completed", "The session is complete, so answers about you can no longer be changed.")
        PersonAnswers.objects.update_or_create(session=session, defaults={"answers": dict(answers)})
        keep_longer(session, lease_after_answers(living(session.started_at), timezone.now()))


def release_abandoned() -> int:
    """Release the slots of sessions whose lease has expired; returns the number of sessions. Late votes are stored."""
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
