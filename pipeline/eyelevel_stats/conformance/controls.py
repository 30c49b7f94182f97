"""Rules R6 and R7: control videos and control questions, which have a right answer."""

from collections.abc import Sequence

from eyelevel_kinds import KINDS
from eyelevel_stats.conformance.evidence import Evidence, Trial
from eyelevel_stats.conformance.finding import Broken, Finding, seconds
from eyelevel_stats.conformance.rules import Rules

SIDES = ("left", "right")


def videos_wrong(evidence: Evidence, rules: Rules) -> Finding:
    """R6: more than `wrong_at_most` control videos were answered wrongly."""
    if not evidence.controls and not evidence.skipped_controls:
        return Finding("R6", "no", "there was no control video")
    looks: list[tuple[str, Broken, str]] = []
    for trial in evidence.controls:
        state, why = _video(trial, rules.max_score)
        looks.append((f"trial {trial.position}", state, why))
    positions = tuple(trial.position for trial, look in zip(evidence.controls, looks, strict=True) if look[1] == "yes")
    looks += [("skipped", "unknown", "not answered")] * evidence.skipped_controls
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
            looks.append((question.key, "yes", f"answered {question.choice}, the right answer is {question.right}"))
    return _count("R7", "control questions", looks, rules.questions_wrong_at_most)


def _video(trial: Trial, max_score: int) -> tuple[Broken, str]:
    """Checks a control video; the kind decides what is right, this function whether there is a right answer at all."""
    kind, delays_ms = KINDS.get(trial.kind), trial.delays_ms
    if kind is None or len(delays_ms) != (2 if kind.clip_kind == "pair" else 1):
        return "unknown", "there is no known right answer"
    delay_ms = max(delays_ms) - (min(delays_ms) if kind.clip_kind == "pair" else 0)
    if delay_ms <= 0:
        return "unknown", "there is no known right answer"
    if kind.right(trial.data, delays_ms, max_score):
        return "no", ""
    answer = trial.data[kind.columns[0].name]
    if kind.clip_kind == "single":
        delayed = f"was delayed by {seconds(delay_ms)}, so at most {max_score} of 7 is right"
        return "yes", f"answered {answer}, but the video {delayed}"
    slower = SIDES[delays_ms.index(max(delays_ms))]
    return "yes", f"answered {answer}, but the {slower} side was delayed by {seconds(delay_ms)}"


def _count(
    rule: str, what: str, looks: Sequence[tuple[str, Broken, str]], wrong_at_most: int, trials: tuple[int, ...] = ()
) -> Finding:
    wrong = [(name, why) for name, state, why in looks if state == "yes"]
    unknown = sum(state == "unknown" for _, state, _ in looks)
    named = "".join(f"; {name}: {why}" for name, why in wrong)
    sentence = f"{len(wrong)} of {len(looks)} {what} wrong, at most {wrong_at_most} allowed{named}"
    if len(wrong) > wrong_at_most:
        return Finding(rule, "yes", sentence, trials, unknown)
    # answers that cannot be checked could be decisive
    state: Broken = "unknown" if len(wrong) + unknown > wrong_at_most else "no"
    return Finding(rule, state, sentence, trials, unknown)
