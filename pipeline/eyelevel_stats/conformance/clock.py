"""Rule R9: the server's clock, which participants cannot change."""

from eyelevel_core.assignment.server_clock import Answered, ServerClock, TooEarly, server_clock
from eyelevel_stats.conformance.ending import came_to_end
from eyelevel_stats.conformance.evidence import Evidence, Trial
from eyelevel_stats.conformance.finding import NAMED_AT_MOST, Finding, seconds
from eyelevel_stats.conformance.rules import Rules


def too_fast(evidence: Evidence, _rules: Rules) -> Finding:
    """R9: less time passed on the server than the videos last, over the session or in a trial with a whole play.

    A whole play of a video that the server never sent also breaks it. A simulated session never breaks it: unless it
    was made in real time, it answers as fast as possible.
    """
    if evidence.completed_at is None:
        return Finding("R9", "unknown", "the session is not complete", unknown=1)
    clock = server_clock(evidence.started_at, evidence.completed_at, map(_answered, evidence.trials))
    if clock.broken and evidence.simulated:
        return Finding("R9", "unknown", "a simulated session that was not made in real time", unknown=1)
    if clock.broken:
        return Finding("R9", "yes", _reason(clock), tuple(answer.position for answer in clock.too_early), clock.unknown)
    if clock.unknown:
        return Finding("R9", "unknown", "not every video has a time at which it was sent", unknown=clock.unknown)
    return Finding("R9", "no", f"took {seconds(clock.passed_ms)}, the videos take at least {seconds(clock.needed_ms)}")


def _answered(trial: Trial) -> Answered:
    return Answered(
        position=trial.position,
        duration_ms=trial.duration_ms,
        clip_sent_at=trial.clip_sent_at,
        received_at=trial.received_at,
        whole_play=_after_whole_play(trial),
    )


def _after_whole_play(trial: Trial) -> bool:
    """Whether the vote was sent after a whole play; with `answer_from: start` it may be sent during the play."""
    plays = [play for play in trial.plays if trial.answer_from == "end" or play.received_at <= trial.received_at]
    return any(came_to_end(play, trial) for play in plays)


def _reason(clock: ServerClock) -> str:
    parts = [f"trial {early.position}: {_early(early)}" for early in clock.too_early[:NAMED_AT_MOST]]
    if clock.too_short:
        took = f"took {seconds(clock.passed_ms)}, but the videos take at least {seconds(clock.needed_ms)}"
        parts.insert(0, took)
    more = len(clock.too_early) - NAMED_AT_MOST
    return "; ".join(parts) + (f"; and {more} more" if more > 0 else "")


def _early(early: TooEarly) -> str:
    if early.passed_ms is None:
        return "reports a play of its video, which was never sent"
    return (
        f"answered {seconds(early.passed_ms)} after its video was sent, which takes at least {seconds(early.needed_ms)}"
    )
