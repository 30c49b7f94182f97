"""What reaches a participant's browser. Nothing here tells stack, network, metric or side."""

import uuid
from typing import Any, Literal

from django.db.models import Max
from ninja import Schema

from eyelevel_core.study.design import trial_count
from eyelevel_kinds import KINDS
from ratings import arrivals, previews
from ratings.controls import answered, control_questions
from ratings.models import PersonAnswers, Session, Trial, TrialRole, Vote
from ratings.recruits import recruiter_of
from ratings.returning import Comeback
from ratings.tombstones import living
from studies.freeze import minutes
from studies.lifecycle import effective_state
from studies.models import Fielding, Stimulus, Study

Text = dict[str, str]


class Consent(Schema):
    version: str
    text: Text


class Choice(Schema):
    key: str
    label: Text


class Question(Schema):
    key: str
    label: Text
    required: bool
    choices: list[Choice]


class Ethics(Schema):
    """Who approved the study."""

    board: str
    number: str | None = None


class Retention(Schema):
    months: int
    text: Text


class Pay(Schema):
    """What a participant gets."""

    amount: float
    currency: str


class StudyText(Schema):
    """A study as participants see it; what its file does not say is null."""

    title: Text
    languages: list[str]
    consent: Consent
    contact: str
    instructions: Text
    questions: list[Question]
    trial_count: int
    minutes: int
    ethics: Ethics | None
    retention: Retention | None
    pay: Pay | None
    # what becomes of trials for which a window has no room
    narrow_window: Literal["skip", "refuse"]


class ClipSize(Schema):
    width_px: int
    height_px: int


class Room(Schema):
    """What a block needs room for: its largest clip, in each direction."""

    kind: str
    kind_version: int
    clip: ClipSize
    answer_from: str
    params: dict[str, Any]


class Invitation(StudyText):
    state: str
    # for which nobody begins without room; none where such trials may be skipped
    room: list[Room]
    # the parameter of the link that carries the recruiter's id of the participant
    id_parameter: str | None


class Context(Schema):
    key: str
    label: Text


class ClipLink(Schema):
    url: str
    bytes: int
    sha256: str
    width_px: int
    height_px: int
    # frames per second, the same for all of a campaign
    frame_rate: float
    # how long it stands still before navigation starts, the same for all of a campaign
    start_ms: float


class TrialView(Schema):
    position: int
    kind: str
    kind_version: int
    context: Context
    clip: ClipLink
    answer_from: str
    # no data: said openly; what else a trial is there for, nobody is told
    training: bool
    params: dict[str, Any]


class ControlQuestion(Schema):
    """One that has a right answer, which stays here; asked after so many trials."""

    key: str
    after: int
    label: Text
    choices: list[Choice]


class SessionView(Schema):
    id: uuid.UUID
    state: str
    language: str
    study: StudyText
    person_answered: bool
    trials: list[TrialView]
    answered: list[int]
    controls: list[ControlQuestion]
    # keys
    controls_answered: list[str]
    # what becomes of one who comes back: without `resume` there are no trials here
    comeback: Comeback
    # nothing is stored as data
    preview: bool
    # somebody else may take part in this browser: no recruiter's id tells people apart
    may_begin_anew: bool


def invitation(fielding: Fielding) -> Invitation:
    state = effective_state(fielding)
    if state == "full" and arrivals.may_free_slots(fielding):
        # who asks may have to wait a moment, but is not too late
        state = "open"
    recruiter = recruiter_of(fielding)
    return Invitation(
        state=state,
        room=_room(fielding.study),
        id_parameter=recruiter["id_parameter"] if recruiter else None,
        **_texts(fielding.study),
    )


def _room(study: Study) -> list[Room]:
    design, versions = study.design, study.frozen["kinds"]
    if design["session"]["narrow_window"] == "skip":
        return []
    clips = Stimulus.objects.filter(study=study).values_list("block")
    sizes = clips.annotate(width=Max("clip__width_px"), height=Max("clip__height_px")).order_by("block")
    blocks = [(design["trials"][number], width, height) for number, width, height in sizes]
    return [
        Room(
            kind=block["kind"],
            kind_version=versions[block["kind"]],
            clip=ClipSize(width_px=width, height_px=height),
            answer_from=block["answer_from"],
            params=KINDS[block["kind"]].params(block),
        )
        for block, width, height in blocks
        if KINDS[block["kind"]].skippable
    ]


def session_view(session: Session, comeback: Comeback = Comeback.RESUME) -> SessionView:
    study = session.fielding.study
    design = study.design
    trials = session.trials.select_related("stimulus__clip")
    return SessionView(
        id=session.id,
        state=session.state,
        language=living(session.language),
        study=StudyText(**_texts(study)),
        person_answered=_person_answered(session),
        trials=[_trial(trial, design) for trial in trials] if comeback == Comeback.RESUME else [],
        answered=_answered(session),
        controls=[ControlQuestion(**question) for question in control_questions(design)],
        controls_answered=_controls_answered(session),
        comeback=comeback,
        preview=previews.is_preview(session),
        may_begin_anew=not previews.is_preview(session) and recruiter_of(session.fielding) is None,
    )


def _person_answered(session: Session) -> bool:
    if previews.is_preview(session):
        return previews.person_answered(session)
    return PersonAnswers.objects.filter(session=session).exists()


def _answered(session: Session) -> list[int]:
    if previews.is_preview(session):
        return previews.answered(session)
    return list(Vote.objects.filter(session=session).order_by("position").values_list("position", flat=True))


def _controls_answered(session: Session) -> list[str]:
    if previews.is_preview(session):
        return previews.controls_answered(session)
    return answered(session)


def _texts(study: Study) -> dict[str, Any]:
    design = study.design
    same = ("title", "languages", "consent", "contact", "instructions", "questions")
    told: dict[str, Any] = {key: design[key] for key in same}
    told |= {key: design.get(key) for key in ("ethics", "retention", "pay")}
    told["narrow_window"] = design["session"]["narrow_window"]
    return told | {"trial_count": trial_count(design), "minutes": minutes(design, study.frozen["stimuli"])}


def _trial(trial: Trial, design: dict[str, Any]) -> TrialView:
    clip = trial.stimulus.clip
    labels = {context["key"]: context["label"] for context in design["contexts"]}
    return TrialView(
        position=trial.position,
        kind=trial.kind,
        kind_version=trial.kind_version,
        context=Context(key=trial.stimulus.context, label=labels[trial.stimulus.context]),
        clip=ClipLink(
            url=f"/clips/{trial.clip_token}",
            bytes=clip.bytes,
            sha256=clip.sha256,
            width_px=clip.width_px,
            height_px=clip.height_px,
            frame_rate=clip.frame_rate,
            start_ms=clip.start_ms,
        ),
        answer_from=design["trials"][trial.stimulus.block]["answer_from"],
        training=trial.role == TrialRole.TRAINING,
        params=KINDS[trial.kind].params(design["trials"][trial.stimulus.block]),
    )
