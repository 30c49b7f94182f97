"""Rule R8: displayed size of the videos."""

from eyelevel_stats.conformance.evidence import Evidence, Play, Trial
from eyelevel_stats.conformance.finding import Broken, Finding, over_trials
from eyelevel_stats.conformance.rules import Rules
from eyelevel_stats.conformance.watched import NOT_STORED

# browsers round the size of a video to whole pixels
MARGIN = 0.01


def too_small(evidence: Evidence, _rules: Rules) -> Finding:
    """R8: a play was shown smaller than the block's `min_scale` or `min_device_scale`, by more than MARGIN."""

    def look(trial: Trial) -> tuple[Broken, str]:
        if not (trial.min_scale or trial.min_device_scale):
            return "no", ""
        if not trial.plays:
            return "unknown", NOT_STORED
        looks = [_play(play, trial) for play in trial.plays]
        return next((seen for state in ("yes", "unknown") for seen in looks if seen[0] == state), ("no", ""))

    return over_trials("R8", evidence.watched, look, fine="none of {n} videos was shown smaller than allowed")


def _play(play: Play, trial: Trial) -> tuple[Broken, str]:
    sizes = (
        (play.scale, trial.min_scale, "CSS pixels"),
        (play.device_scale, trial.min_device_scale, "device pixels"),
    )
    for scale, least, pixels in sizes:
        if scale is not None and scale < least * (1 - MARGIN):
            return "yes", f"shown with {scale:.3g} {pixels} per captured pixel, at least {least:.3g} required"
    if any(scale is None and least for scale, least, _ in sizes):
        return "unknown", "the browser did not report the size of the video"
    return "no", ""
