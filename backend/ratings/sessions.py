"""A session's life: start with a plan and its slots, answer about oneself, finish, be given up."""

import secrets
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_kinds import KINDS
from problems import Problem, not_found
from ratings.models import Participant, PersonAnswers, Session, SessionState, Trial, Vote
from stimuli.groups import group_of
from studies.allocation import Cell, generator, plan
from studies.models import Fielding, FieldingState, Slot, SlotState, Stimulus

LEASE = timedelta(hours=2)
# no 0 O 1 I L: people copy it by hand
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 10


@dataclass(frozen=True)
class Screen:
    """The participant's window, in CSS pixels."""

    width_px: int
    height_px: int
    device_pixel_ratio: float


def start(slug: str, *, language: str, consent_version: str, screen: Screen) -> tuple[Session, str]:
    """A new participant's session with its plan, and the token of its cookie.

    The fielding's row is locked while the plan is made, so that two sessions never promise the same slot.
    Raises Problem 404, 409 `not_open`, or 422 `invalid` with the field.
    """
    with transaction.atomic():
        fielding = Fielding.objects.select_for_update().filter(slug=slug).first()
        if fielding is None:
            raise not_found("such study")
        design = fielding.study.design
        _check_choice("language", language, design["languages"])
        _check_choice("consent_version", consent_version, [design["consent"]["version"]])
        cells = _cells(fielding) if fielding.state == FieldingState.OPEN else []
        if not any(cell.open for cell in cells):
            raise Problem(409, "not_open", "This study takes nobody at the moment.")
        fielding.claims += 1
        fielding.save(update_fields=["claims"])
        token = secrets.token_urlsafe(32)
        session = Session.objects.create(
            participant=Participant.objects.create(),
            fielding=fielding,
            claim=fielding.claims,
            token_sha256=digest_of(token),
            language=language,
            consent_version=consent_version,
            screen_width_px=screen.width_px,
            screen_height_px=screen.height_px,
            device_pixel_ratio=screen.device_pixel_ratio,
            lease_until=timezone.now() + LEASE,
        )
        rng = generator(seed=design["seed"], fielding=fielding.slug, claim=fielding.claims)
        counts = [block["count"] for block in design["trials"]]
        _claim(session, plan(cells, counts, rng=rng))
    return session, token


def find(token: str) -> Session | None:
    return Session.objects.select_related("fielding__study").filter(token_sha256=digest_of(token)).first()


def answer_person(session: Session, answers: Mapping[str, str]) -> None:
    """Keep what the participant says of themselves; raises Problem 422 that names the question."""
    questions = {question["key"]: question for question in session.fielding.study.design["questions"]}
    for key, choice in answers.items():
        _check_choice("answers", key, list(questions))
        _check_choice(f"answers.{key}", choice, [item["key"] for item in questions[key]["choices"]])
    for key, question in questions.items():
        if question["required"] and key not in answers:
            raise Problem(422, "invalid", f"answers.{key} is missing.", details={"field": f"answers.{key}"})
    PersonAnswers.objects.update_or_create(session=session, defaults={"answers": dict(answers)})


def finish(session: Session, *, skipped: Sequence[int]) -> str:
    """The completion code, once every trial has its vote or was skipped; the same code again for a repeat."""
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=session.pk)
        if session.completion_code is not None:
            return session.completion_code
        trials = {trial.position: trial for trial in session.trials.select_for_update(of=("self",))}
        answered = set(Vote.objects.filter(session=session).values_list("position", flat=True))
        for position in skipped:
            trial = trials.get(position)
            if trial is None or not KINDS[trial.kind].skippable or position in answered:
                message = f"skipped names the trial {position}, which cannot be skipped."
                raise Problem(422, "invalid", message, details={"field": "skipped"})
        lacking = sorted(set(trials) - answered - set(skipped))
        if lacking:
            message = f"{len(lacking)} answers have not arrived yet; send them, then finish."
            raise Problem(409, "votes_missing", message, details={"positions": lacking})
        left_out = [trials[position] for position in skipped]
        Trial.objects.filter(pk__in=[trial.pk for trial in left_out]).update(skipped=True)
        give_back(left_out)
        session.completion_code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        session.completed_at = timezone.now()
        session.state = SessionState.COMPLETED
        session.save(update_fields=["completion_code", "completed_at", "state"])
    return session.completion_code


def release_abandoned() -> int:
    """Give the slots of sessions whose lease is over to others; returns how many sessions. Late votes still count."""
    over = Session.objects.filter(
        state=SessionState.STARTED, lease_until__lt=timezone.now(), trials__slot__state=SlotState.CLAIMED
    )
    ids: list[uuid.UUID] = list(over.distinct().values_list("id", flat=True))
    for session_id in ids:
        with transaction.atomic():
            # one session at a time, and none whose vote is just being stored
            trials = Trial.objects.select_for_update(of=("self",), skip_locked=True)
            give_back(list(trials.filter(session_id=session_id, slot__state=SlotState.CLAIMED)))
    return len(ids)


def give_back(trials: Sequence[Trial]) -> None:
    """Open the promised slots of these trials again; their rows must be locked."""
    slots = [trial.slot_id for trial in trials if trial.slot_id is not None]
    Trial.objects.filter(slot_id__in=slots).update(slot=None)
    Slot.objects.filter(pk__in=slots, state=SlotState.CLAIMED).update(state=SlotState.OPEN)


def _cells(fielding: Fielding) -> list[Cell]:
    slots = Counter(Slot.objects.filter(fielding=fielding).values_list("stimulus_id", "state"))
    stimuli = Stimulus.objects.filter(study_id=fielding.study_id).select_related("clip__take", "clip__right_take")
    return [
        Cell(
            stimulus=stimulus.pk,
            block=stimulus.block,
            group=group_of(stimulus.clip),
            open=slots[stimulus.pk, SlotState.OPEN.value],
            taken=slots[stimulus.pk, SlotState.CLAIMED.value] + slots[stimulus.pk, SlotState.FILLED.value],
        )
        for stimulus in stimuli.order_by("number")
    ]


def _claim(session: Session, planned: Sequence[int]) -> None:
    wanted = Slot.objects.filter(fielding=session.fielding, stimulus_id__in=planned, state=SlotState.OPEN)
    # the first open slot of each stimulus
    first = {slot.stimulus_id: slot for slot in wanted.order_by("stimulus_id", "id").distinct("stimulus_id")}
    Slot.objects.filter(pk__in=[slot.pk for slot in first.values()]).update(state=SlotState.CLAIMED)
    kinds = dict(Stimulus.objects.filter(pk__in=planned).values_list("pk", "kind"))
    Trial.objects.bulk_create(
        Trial(
            session=session,
            position=position,
            stimulus_id=stimulus,
            slot=first.get(stimulus),
            kind=kinds[stimulus],
            kind_version=KINDS[kinds[stimulus]].version,
        )
        for position, stimulus in enumerate(planned, start=1)
    )


def _check_choice(field: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        message = f"{field} is {value!r}, but must be one of {', '.join(allowed)}."
        raise Problem(422, "invalid", message, details={"field": field})
