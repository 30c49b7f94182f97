"""A participant with a row in every table, whose values occur nowhere else."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from conformance.models import Verdict
from ratings.models import ControlAnswer, Exclusion, PersonAnswers, Play, Recruitment, Session
from studies.models import Fielding
from testing import studies

# values that a search must find before the erasure, and must not find after it
PLANTED: dict[str, str] = {
    "recruiter's id": "w-17-unmistakable",
    "parameter of the link": "submission-17-unmistakable",
    "name of a parameter": "unmistakable_parameter",
    "answer about the person": "old",
    "width": "1347",
    "height": "911",
    "pixel ratio": "1.0625",
    "answer's time": "98765.4321",
    "replays": "4177",
    "moment": "2031-07-19",
}
MOMENT = datetime(2031, 7, 19, 3, 4, 5, tzinfo=UTC)


def fielding(**changes: Any) -> Fielding:
    studies.visible_batch()
    return studies.study(**changes).fieldings.get()


def leaver(field: Fielding) -> Session:
    """A session with a vote, a play, answers about the person, a verdict, and a recruiter's id."""
    session, _ = studies.start(field)
    Session.objects.filter(pk=session.pk).update(
        screen_width_px=1347,
        screen_height_px=911,
        device_pixel_ratio=1.0625,
        started_at=MOMENT,
        unknown_parameters=[PLANTED["name of a parameter"]],
    )
    trial = session.trials.get(position=1)
    studies.vote(trial, replays=4177, answer_ms=98765.4321)
    Play.objects.create(id=uuid4(), trial=trial, started_at=MOMENT, replay=True, evidence={})
    PersonAnswers.objects.create(session=session, answers={"age": "old"})
    Exclusion.objects.create(session=session, rule="too-fast")
    ControlAnswer.objects.create(session=session, key="attention", choice="wrong")
    Verdict.objects.create(session=session, version=1, accepted=True, used=False, findings=[])
    Recruitment.objects.create(
        participant=session.participant,
        study=field.study,
        recruiter="panel",
        recruiter_id=PLANTED["recruiter's id"],
        arrival={"SESSION_ID": PLANTED["parameter of the link"]},
    )
    session.refresh_from_db()
    return session
