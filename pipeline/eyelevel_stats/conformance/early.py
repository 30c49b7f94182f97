"""Rule R4: answers before anything was visible."""

from eyelevel_stats.conformance.ending import came_to_end
from eyelevel_stats.conformance.evidence import Evidence, Trial
from eyelevel_stats.conformance.finding import Broken, Finding, over_trials, seconds
from eyelevel_stats.conformance.rules import Rules


def too_early(evidence: Evidence, rules: Rules) -> Finding:
    """R4: an answer over `tolerance_ms` before the video's first visual change, for a pair that of its faster side.

    Participants who saw the change in an earlier play, or in the same one, may answer at any moment of a replay.
    """

    def look(trial: Trial) -> tuple[Broken, str]:
        seen_ms, is_all = _seen(trial)
        known = [ms for ms in trial.first_changes_ms if ms is not None]
        if not known:
            return "unknown", "the video's first visual change is not known"
        first_ms = min(known)
        if seen_ms >= first_ms - rules.tolerance_ms:
            return "no", ""
        if not is_all:
            return "unknown", "the browser did not report the position of the video at the answer"
        if len(known) < len(trial.first_changes_ms):
            # the other side may have been first
            return "unknown", "the first visual change of one side is not known"
        return "yes", f"answered at {seconds(seen_ms)} of the video, whose first change is at {seconds(first_ms)}"

    return over_trials("R4", evidence.watched, look, fine="none of {n} answers came before the first visual change")


def _seen(trial: Trial) -> tuple[float, bool]:
    """Returns how much of the video the participant had seen at the answer, and whether that is an upper bound."""
    before = [play for play in trial.plays if play.ended_at is not None and play.ended_at <= trial.answered_at]
    if any(came_to_end(play, trial) for play in before):
        return float("inf"), True
    reached = [trial.media_ms, *(play.media_ms for play in before)]
    known = [ms for ms in reached if ms is not None]
    return max(known, default=0.0), len(known) == len(reached)
