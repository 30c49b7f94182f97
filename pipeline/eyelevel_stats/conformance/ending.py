"""Whether a play reached the end of its clip."""

from eyelevel_stats.conformance.evidence import Play, Trial
from eyelevel_stats.conformance.rules import Rules

# a browser may stop its clock a few frames before the end of a clip, and none stops it so long before
SLACK_MS = 500.0


def came_to_end(play: Play, trial: Trial, rules: Rules) -> bool | None:
    """What the browser says; but a play that ended far before its clip did was broken off, whatever is said of it.

    None where the browser, or the clip's length, does not tell. Version 1 takes the browser's word.
    """
    if rules.version == 1 or not play.complete:
        return play.complete
    if play.media_ms is None or trial.duration_ms is None:
        return None
    return play.media_ms >= trial.duration_ms - SLACK_MS
