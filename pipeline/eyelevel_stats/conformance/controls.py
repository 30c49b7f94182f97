"""R6 and R7: what has a right answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from eyelevel_stats.conformance.evidence import Evidence, Trial
from eyelevel_stats.conformance.finding import Broken, Finding, seconds
from eyelevel_stats.conformance.rules import Rules

SIDES = ("left", "right")
POINTS = 7
# how far a continuous scale with the labels of the seven points goes
SLIDER_END = 100.0


def videos_wrong(evidence: Evidence, rules: Rules) -> Finding:
    """R6: more than `wrong_at_most` control videos were answered wrongly."""
    if not evidence.controls:
        return Finding("R6", "no", "there was no control video")
    looks = []
    for trial in evidence.controls:
        state, why = _video(trial, rules.max_score)
        looks.append((f"trial {trial.position}", state, why))
    positions = tuple(trial.position for trial, look in zip(evidence.controls, looks, strict=True) if look[1] == "yes")
    return _count("R6", "control videos", looks, rules.videos_wrong_at_most, positions)


def questions_wrong(evidence: Evidence, rules: Rules) -> Finding:
    """R7: more than `wrong_at_most` control questions were answered wrongly."""
    if not evidence.questions:
        return Finding("R7", "no", "there was no control question")
    looks: list[tuple[str, Broken, str]] = []
    for question in evidence.questions:
        if question.choice is None:
            looks.append((question.key, "unknown", "not answered"))
        elif question.choice == question.right:
            looks.append((question.key, "no", ""))
        else:
            looks.append((question.key, "yes", f"answered {question.choice}, right is {question.right}"))
    return _count("R7", "control questions", looks, rules.questions_wrong_at_most)


def _video(trial: Trial, max_score: int | None) -> tuple[Broken, str]:
    if "choice" in trial.data:
        return _pair(trial.data["choice"], trial.delays_ms)
    if max_score is None or not any(trial.delays_ms):
        return "unknown", "nothing says what the video deserves"
    return _single(trial.data, trial.delays_ms, max_score)


def _pair(choice: Any, delays_ms: Sequence[float]) -> tuple[Broken, str]:
    if len(delays_ms) != len(SIDES) or delays_ms[0] == delays_ms[1]:
        return "unknown", "neither side was held back, so nothing is right"
    right = SIDES[delays_ms.index(min(delays_ms))]
    if choice == right:
        return "no", ""
    held_back = f"the other side was held back by {seconds(abs(delays_ms[0] - delays_ms[1]))}"
    return "yes", f"answered {choice}, right is {right}: {held_back}"


def _single(data: Mapping[str, Any], delays_ms: Sequence[float], max_score: int) -> tuple[Broken, str]:
    given, limit = (data["score"], float(max_score)) if "score" in data else (data.get("value"), _place(max_score))
    if not isinstance(given, int | float):
        return "unknown", "its kind of answer has no scale that is known here"
    if given <= limit:
        return "no", ""
    return "yes", f"held back by {seconds(max(delays_ms))}, it was given {given:g}, at most {limit:.4g} is right"


def _place(score: int) -> float:
    """Where the label of this score stands on the continuous scale: 1 at its begin, 7 at its end."""
    return SLIDER_END * (score - 1) / (POINTS - 1)


def _count(
    rule: str, what: str, looks: Sequence[tuple[str, Broken, str]], wrong_at_most: int, trials: tuple[int, ...] = ()
) -> Finding:
    wrong = [(name, why) for name, state, why in looks if state == "yes"]
    unknown = sum(state == "unknown" for _, state, _ in looks)
    named = "".join(f"; {name}: {why}" for name, why in wrong)
    sentence = f"{len(wrong)} of {len(looks)} {what} wrong, allowed are {wrong_at_most}{named}"
    if len(wrong) > wrong_at_most:
        return Finding(rule, "yes", sentence, trials, unknown)
    # those that nobody can judge might tip the scale
    state: Broken = "unknown" if len(wrong) + unknown > wrong_at_most else "no"
    return Finding(rule, state, sentence, trials, unknown)
