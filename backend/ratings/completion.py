"""Completion of a session: missing answers, trials that may be skipped, and the completion code."""

import secrets
from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from eyelevel_core.study.design import Design
from eyelevel_kinds import KINDS
from lib.problems import Problem
from ratings import control_questions, slots
from ratings.models import PersonAnswers, Session, SessionState, Trial, Vote
from ratings.signals import session_completed

# without 0 O 1 I L, since people copy the code by hand
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 10


def finish(session: Session, *, skipped: Sequence[int], by_owner: bool = False) -> str:
    """Complete the session and return its code; each trial needs a vote or a skip, each required question an answer.

    Repeating the call returns the same code. `by_owner`: called from the browser that started the session, which is
    then the only one that can read the code. Raises Problem 409 `votes_missing`, `controls_missing` or
    `person_missing`, or 422 `invalid`.
    """
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        # reused, because the study's frozen text may be long
        locked.fielding, session = session.fielding, locked
        if session.completion_code is not None:
            return session.completion_code
        if session.state == SessionState.RESTARTED:
            message = "Another session has replaced this one, which can therefore no longer be completed."
            raise Problem(409, "restarted", message)
        trials = {trial.position: trial for trial in session.trials.select_for_update(of=("self",))}
        answered = set(Vote.objects.filter(session=session).values_list("position", flat=True))
        kinds = {position: trial.kind for position, trial in trials.items()}
        unplayable = {position for position, trial in trials.items() if trial.unplayable}
        check_skipped(session.fielding.study.design, kinds, answered=answered, skipped=skipped, unplayable=unplayable)
        unasked, unanswered = control_questions.missing(session), _unanswered(session)
        check_end(kinds, answered=answered, skipped=skipped, unasked=unasked, unanswered=unanswered)
        not_shown = [trials[position] for position in skipped]
        Trial.objects.filter(pk__in=[trial.pk for trial in not_shown]).update(skipped=True)
        slots.give_back(not_shown)
        session.completion_code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        session.completed_at = session.to_judge_since = timezone.now()
        session.state = SessionState.COMPLETED
        if by_owner:
            session.other_token_sha256 = None
        changed = ["completion_code", "completed_at", "to_judge_since", "state", "other_token_sha256"]
        session.save(update_fields=changed)
        slots.reclaim(session)
        # robust, because the session is complete even if a receiver raises
        transaction.on_commit(lambda: session_completed.send_robust(sender=Session, session_id=session.pk))
    return session.completion_code


def check_skipped(
    design: Design,
    kinds: Mapping[int, str],
    *,
    answered: Collection[int],
    skipped: Sequence[int],
    unplayable: Collection[int],
) -> None:
    """Raise Problem 422 unless these trials may be skipped: for a narrow window, if the study permits that.

    `kinds`: the kind of each trial by position. Trials whose clip did not play (`unplayable`) may always be skipped.
    """
    may = design.session.narrow_window == "skip"
    for position in skipped:
        is_allowed = position in unplayable or (may and position in kinds and KINDS[kinds[position]].skippable)
        if not is_allowed or position in answered:
            message = f"skipped contains the trial {position}, which cannot be skipped; remove it."
            raise Problem(422, "invalid", message, details={"field": "skipped"})


def check_end(
    kinds: Mapping[int, str],
    *,
    answered: Collection[int],
    skipped: Sequence[int],
    unasked: Sequence[str],
    unanswered: Sequence[str] = (),
) -> None:
    """Raise Problem 409 unless every trial is answered or skipped, and every question is answered.

    `kinds`: the kind of each trial by position. `unasked`: keys of control questions without an answer. `unanswered`:
    keys of required questions about the person without an answer.
    """
    missing = sorted(set(kinds) - set(answered) - set(skipped))
    if missing:
        message = f"{len(missing)} answers have not arrived yet; send them, then finish."
        raise Problem(409, "votes_missing", message, details={"positions": missing})
    if unasked:
        message = f"{len(unasked)} control questions have no answer yet; ask them, then finish."
        raise Problem(409, "controls_missing", message, details={"keys": list(unasked)})
    if unanswered:
        message = f"The questions about the person {', '.join(unanswered)} have no answer yet; ask them, then finish."
        raise Problem(409, "person_missing", message, details={"keys": list(unanswered)})


def _unanswered(session: Session) -> list[str]:
    """Keys of the required questions about the person that have no answer."""
    answers = PersonAnswers.objects.filter(session=session).values_list("answers", flat=True).first() or {}
    questions = session.fielding.study.design.questions
    return [question.key for question in questions if question.required and question.key not in answers]
