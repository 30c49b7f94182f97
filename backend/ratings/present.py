"""What reaches a participant's browser. Nothing here tells stack, network, metric or side."""

import uuid
from typing import Any

from ninja import Schema

from eyelevel_kinds import KINDS
from ratings.models import PersonAnswers, Session, Trial, Vote
from studies.freeze import minutes, trial_count
from studies.lifecycle import effective_state
from studies.models import Fielding, Study

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


class StudyText(Schema):
    """A study as participants see it."""

    title: Text
    languages: list[str]
    consent: Consent
    contact: str
    instructions: Text
    questions: list[Question]
    trial_count: int
    minutes: int


class Invitation(StudyText):
    state: str


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
    params: dict[str, Any]


class SessionView(Schema):
    id: uuid.UUID
    state: str
    language: str
    study: StudyText
    person_answered: bool
    trials: list[TrialView]
    answered: list[int]


def invitation(fielding: Fielding) -> Invitation:
    return Invitation(state=effective_state(fielding), **_texts(fielding.study))


def session_view(session: Session) -> SessionView:
    study = session.fielding.study
    design = study.design
    trials = session.trials.select_related("stimulus__clip")
    return SessionView(
        id=session.id,
        state=session.state,
        language=session.language,
        study=StudyText(**_texts(study)),
        person_answered=PersonAnswers.objects.filter(session=session).exists(),
        trials=[_trial(trial, design) for trial in trials],
        answered=list(Vote.objects.filter(session=session).order_by("position").values_list("position", flat=True)),
    )


def _texts(study: Study) -> dict[str, Any]:
    frozen = study.frozen
    design = frozen["study"]
    same = ("title", "languages", "consent", "contact", "instructions", "questions")
    return {key: design[key] for key in same} | {"trial_count": trial_count(design), "minutes": minutes(frozen)}


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
        answer_from=design["trials"][trial.stimulus.block].get("answer_from", "end"),
        params=KINDS[trial.kind].params(design["trials"][trial.stimulus.block]),
    )
