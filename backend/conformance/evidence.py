"""Collects the evidence that the rules need from a session's rows."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Prefetch

from eyelevel_core.study.design import Block
from eyelevel_stats.conformance import Evidence, Play, Question, Spell, Trial
from ratings.control_questions import control_questions
from ratings.models import ControlAnswer, Origin, Session, TrialRole
from ratings.models import Play as PlayRow
from ratings.models import Trial as TrialRow
from stimuli.models import Clip

T = TypeVar("T")


def gather(session: Session) -> Evidence:
    """Collect the stored plays, votes and control answers of a session."""
    design = session.fielding.study.design
    voted = TrialRow.objects.filter(session=session, vote__isnull=False).order_by("position")
    shown = voted.select_related("vote", "stimulus__clip__take", "stimulus__clip__right_take")
    trials = shown.prefetch_related(Prefetch("plays", queryset=PlayRow.objects.order_by("received_at", "id")))
    skipped_controls = TrialRow.objects.filter(session=session, role=TrialRole.CONTROL, skipped=True).count()
    chosen = dict(ControlAnswer.objects.filter(session=session).values_list("key", "choice"))
    return Evidence(
        started_at=_living(session.started_at),
        completed_at=session.completed_at,
        trials=tuple(_trial(trial, design.blocks[trial.stimulus.block]) for trial in trials),
        questions=tuple(
            Question(key=question.key, right=question.right, choice=chosen.get(question.key))
            for question in control_questions(design)
        ),
        skipped_controls=skipped_controls,
        simulated=session.origin == Origin.SIMULATED,
        planned=TrialRow.objects.filter(session=session).count(),
        unplayable=TrialRow.objects.filter(session=session, skipped=True, unplayable=True).count(),
    )


def _trial(trial: TrialRow, block: Block) -> Trial:
    vote, clip = trial.vote, trial.stimulus.clip
    return Trial(
        position=trial.position,
        role=trial.role,
        kind=trial.kind,
        data=_living(vote.data),
        answer_from=block.answer_from,
        answered_at=_living(vote.answered_at),
        received_at=_living(vote.received_at),
        media_ms=vote.media_ms,
        away=_spells(vote.away),
        first_changes_ms=_first_changes_ms(clip),
        delays_ms=tuple(clip.delays_ms),
        duration_ms=clip.duration_ms,
        clip_sent_at=trial.clip_sent_at,
        min_scale=block.min_scale,
        min_device_scale=block.min_device_scale,
        plays=tuple(_play(play) for play in trial.plays.all()),
    )


def _first_changes_ms(clip: Clip) -> tuple[float | None, ...]:
    """First visual change of each side, in the clip's time; metrics count from navigation start, `start_ms` later."""
    delays_ms = clip.delays_ms or [0.0] * len(clip.takes)
    return tuple(
        None if (fvc_ms := take.metrics["fvc_ms"]) is None else clip.start_ms + delay_ms + fvc_ms
        for take, delay_ms in zip(clip.takes, delays_ms, strict=True)
    )


def _play(play: PlayRow) -> Play:
    evidence: Mapping[str, Any] = play.evidence or {}
    hidden, unfocused = _spells(evidence.get("hidden")), _spells(evidence.get("unfocused"))
    shown: Mapping[str, Any] = evidence.get("shown") or {}
    return Play(
        ended_at=play.ended_at,
        received_at=_living(play.received_at),
        complete=evidence.get("complete"),
        media_ms=evidence.get("media_ms"),
        stalls=_spells(evidence.get("stalls")),
        away=None if hidden is None or unfocused is None else hidden + unfocused,
        scale=shown.get("scale"),
        device_scale=shown.get("device_scale"),
        hidden=hidden,
    )


def _living(value: T | None) -> T:
    """The value of a column that is null only in tombstones, which are not read here."""
    if value is None:
        raise ValueError("the row was erased while it was read")
    return value


def _spells(stored: list[dict[str, float]] | None) -> tuple[Spell, ...] | None:
    return None if stored is None else tuple(Spell(at_ms=spell["at_ms"], ms=spell["ms"]) for spell in stored)
