"""Rules R1 to R3: videos played, played without stalls, and page visible and focused."""

from eyelevel_stats.conformance.ending import came_to_end
from eyelevel_stats.conformance.evidence import Evidence, Play, Spell, Trial
from eyelevel_stats.conformance.finding import Broken, Finding, over_trials, seconds
from eyelevel_stats.conformance.rules import Rules

# a page plays before it asks, so the play was lost on its way, or rejected for invalid evidence
NOT_STORED = "no play of the video was stored"
# of a video's length, and of the trials
HIDDEN_SHARE, UNSEEN_SHARE = 0.5, 0.5
NONE_STORED = "no play of any video was stored"


def not_played(evidence: Evidence, _rules: Rules) -> Finding:
    """R1: a video was not played to its end, or a complete session has no play at all.

    If a block accepts answers from the start of a play (`answer_from: start`), the play may end after the answer; R4
    checks whether anything was visible by then.
    """
    none_stored = evidence.completed_at is not None and not any(trial.plays for trial in evidence.watched)

    def look(trial: Trial) -> tuple[Broken, str]:
        return ("yes", NONE_STORED) if none_stored else _played(trial)

    return over_trials("R1", evidence.watched, look, fine="all {n} videos were played")


def stalled(evidence: Evidence, rules: Rules) -> Finding:
    """R2: a video stalled for longer than `stall_ms` without interruption."""

    def look(trial: Trial) -> tuple[Broken, str]:
        longest = max((spell.ms for play in trial.plays for spell in play.stalls or ()), default=0.0)
        if longest > rules.stall_ms:
            return "yes", f"stalled for {seconds(longest)}, at most {seconds(rules.stall_ms)} allowed"
        if not trial.plays:
            return "unknown", NOT_STORED
        if any(play.stalls is None for play in trial.plays):
            return "unknown", "the browser did not report whether the video stalled"
        return "no", ""

    return over_trials("R2", evidence.watched, look, fine="none of {n} videos stalled for longer")


def away(evidence: Evidence, rules: Rules) -> Finding:
    """R3: the page was hidden or without focus for more than `away_ms` in one trial, all spells together.

    It is also broken if the page was hidden for more than HIDDEN_SHARE of the video in each of its whole plays, in at
    least UNSEEN_SHARE of the trials, because a short video ends before `away_ms` have passed.
    """
    unseen = {trial.position for trial in evidence.watched if _played_hidden(trial)}
    plays_unseen = len(unseen) >= UNSEEN_SHARE * len(evidence.watched)

    def look(trial: Trial) -> tuple[Broken, str]:
        parts = [*(play.away for play in trial.plays), trial.away]
        total = sum(covered_ms(part) for part in parts if part is not None)
        if total > rules.away_ms:
            return "yes", f"away for {seconds(total)}, at most {seconds(rules.away_ms)} allowed"
        if plays_unseen and trial.position in unseen:
            return "yes", "the page was hidden while the video played"
        if not trial.plays:
            return "unknown", NOT_STORED
        if any(part is None for part in parts):
            return "unknown", "the browser did not report whether the page had the focus"
        return "no", ""

    return over_trials("R3", evidence.watched, look, fine="in none of {n} trials away for longer")


def _played_hidden(trial: Trial) -> bool:
    whole = [play for play in trial.plays if came_to_end(play, trial)]
    return bool(whole) and all(
        play.hidden is not None
        and trial.duration_ms is not None
        and covered_ms(play.hidden) > HIDDEN_SHARE * trial.duration_ms
        for play in whole
    )


def _played(trial: Trial) -> tuple[Broken, str]:
    if not trial.plays:
        return "unknown", NOT_STORED
    # from the start on, an answer is dated before the end of the play in which it was given
    plays = [play for play in trial.plays if trial.answer_from == "start" or _came_before(play, trial)]
    ends = [came_to_end(play, trial) for play in plays]
    if any(ends):
        return "no", ""
    if None in ends:
        return "unknown", "the browser did not report whether the video came to its end"
    return "yes", "answered without a play to the end" if plays else "answered without a play"


def _came_before(play: Play, trial: Trial) -> bool:
    """Whether the play was before the answer, by the browser's clock or, as it may be set, by the order of arrival."""
    by_clock = play.ended_at is not None and play.ended_at <= trial.answered_at
    return by_clock or play.received_at <= trial.received_at


def covered_ms(spells: tuple[Spell, ...]) -> float:
    """Computes the total length of spells; overlaps count once, as a hidden page has no focus either."""
    total, until = 0.0, float("-inf")
    for spell in sorted(spells, key=lambda entry: entry.at_ms):
        end = spell.at_ms + spell.ms
        total += max(0.0, end - max(until, spell.at_ms))
        until = max(until, end)
    return total
