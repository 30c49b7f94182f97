"""Builds the responses for participants, which contain no stack, network, metric or side."""

from typing import Any

from eyelevel_core.study.design import Design
from eyelevel_kinds import KINDS
from ratings.clip_digests import clip_digest
from ratings.control_questions import control_questions
from ratings.models import Session, Trial, TrialRole
from ratings.previews import store_of
from ratings.resume import Comeback
from ratings.room import rooms
from ratings.schemas import (
    ClipLink,
    Context,
    ControlQuestion,
    Invitation,
    SessionView,
    StudyText,
    TrialView,
)
from ratings.tombstones import living
from ratings.way_back import ways_back
from studies.lifecycle import effective_state
from studies.models import Fielding


def invitation(fielding: Fielding) -> Invitation:
    return Invitation(state=effective_state(fielding), **_texts(fielding))


def session_view(session: Session, comeback: Comeback = Comeback.RESUME, *, is_new: bool = False) -> SessionView:
    """The session in the form that its page needs; for one that `is_new`, answers are not queried."""
    study = session.fielding.study
    design = study.design
    store = store_of(session)
    trials = session.trials.select_related("stimulus__clip")
    return SessionView(
        id=session.id,
        state=session.state,
        language=living(session.language),
        study=StudyText(**_texts(session.fielding)),
        person_answered=not is_new and store.person_answered(),
        trials=[_trial(trial, design) for trial in trials] if comeback == Comeback.RESUME else [],
        answered=[] if is_new else store.answered(),
        controls=[ControlQuestion.from_orm(question) for question in control_questions(design)],
        controls_answered=[] if is_new else store.controls_answered(),
        comeback=comeback,
        preview=session.is_preview,
        allows_another_person=not session.is_preview and session.fielding.recruiter is None,
    )


def _texts(fielding: Fielding) -> dict[str, Any]:
    study, design = fielding.study, fielding.study.design
    same = ("title", "languages", "consent", "contact", "instructions", "questions", "ethics", "retention", "pay")
    return {name: getattr(design, name) for name in same} | {
        "narrow_window": design.session.narrow_window,
        "resume": design.session.resume,
        "trial_count": design.trial_count,
        "seconds": design.seconds(study.content.clip_s),
        "room": rooms(study),
        "recruiter": ways_back(fielding),
    }


def _trial(trial: Trial, design: Design) -> TrialView:
    clip, block = trial.stimulus.clip, design.blocks[trial.stimulus.block]
    labels = {context.key: context.label for context in design.contexts}
    return TrialView(
        position=trial.position,
        kind=trial.kind,
        kind_version=trial.kind_version,
        context=Context(key=trial.stimulus.context, label=dict(labels[trial.stimulus.context])),
        clip=ClipLink(
            url=f"/clips/{trial.clip_token}",
            bytes=clip.bytes,
            digest=clip_digest(trial),
            width_px=clip.width_px,
            height_px=clip.height_px,
            frame_rate=clip.frame_rate,
            start_ms=clip.start_ms,
        ),
        answer_from=block.answer_from,
        training=trial.role == TrialRole.TRAINING,
        params=KINDS[trial.kind].params(block.kind_fields),
    )
