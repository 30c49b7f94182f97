"""Control questions (attention checks), which have a right answer."""

from collections.abc import Collection

from django.db import IntegrityError, transaction

from eyelevel_core.study.design import ControlQuestion, Design
from lib.problems import Problem
from ratings.models import ControlAnswer, Session


def control_questions(design: Design) -> list[ControlQuestion]:
    """The study's control questions, in the order in which they are asked."""
    return sorted(design.controls.questions, key=lambda question: question.after)


def answered(session: Session) -> list[str]:
    """Keys of the control questions that have an answer."""
    return [str(answer.key) for answer in ControlAnswer.objects.filter(session=session).order_by("id")]


def missing(session: Session) -> list[str]:
    """Keys of the control questions without an answer."""
    return unanswered(session.fielding.study.design, answered(session))


def unanswered(design: Design, has: Collection[str]) -> list[str]:
    """Keys of the control questions that are not in `has`, the keys with an answer."""
    return [question.key for question in control_questions(design) if question.key not in has]


def answer_control(session: Session, key: str, choice: str) -> None:
    """Store the choice; repeating it changes nothing.

    Raises Problem 422 `invalid`, or 409 `already_answered` if another choice was stored before.
    """
    questions = {question.key: question for question in control_questions(session.fielding.study.design)}
    if key not in questions:
        raise Problem(422, "invalid", f"key is {key!r}, but this study has no such control question.")
    choices = [item.key for item in questions[key].choices]
    if choice not in choices:
        message = f"choice is {choice!r}, but must be one of {', '.join(choices)}."
        raise Problem(422, "invalid", message, details={"field": "choice"})
    try:
        with transaction.atomic():
            ControlAnswer.objects.create(session=session, key=key, choice=choice)
    except IntegrityError:
        if not ControlAnswer.objects.filter(session=session, key=key, choice=choice).exists():
            message = f"Control question {key} already has another answer, which cannot be changed."
            raise Problem(409, "already_answered", message) from None
