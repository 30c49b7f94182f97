"""Check whether a play reached the end of its clip."""

from eyelevel_stats.conformance.evidence import Play, Trial

# browsers may stop the media clock a few frames before the end, but never this long before it
SLACK_MS = 500.0


def came_to_end(play: Play, trial: Trial) -> bool | None:
    """Whether the browser reports a complete play, and the play reached the clip's end within SLACK_MS.

    None if the browser does not report it, or the clip's length is unknown.
    """
    if not play.complete:
        return play.complete
    if play.media_ms is None or trial.duration_ms is None:
        return None
    return play.media_ms >= trial.duration_ms - SLACK_MS
