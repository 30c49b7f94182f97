"""Answers in plain words."""

from collections.abc import Sequence

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.estimand import Effect
from eyelevel_stats.hypotheses.verdict import Judged, Verdict
from eyelevel_stats.intervals import Interval


def effect_sentence(hypothesis: Hypothesis, network: str, effect: Effect, judged: Judged) -> str:
    """One network's effect, or the pooled one, with its interval and what follows from it."""
    assert hypothesis.pair is not None  # noqa: S101 - only such hypotheses have an effect
    first, second = hypothesis.pair
    where = "Over all networks together" if network == "pooled" else f"On {network}"
    amount = abs(effect.estimate)
    if hypothesis.kind == "rate":
        direction = "higher" if effect.estimate >= 0 else "lower"
        found = f"{where}, {second} is rated {amount:.2f} points {direction} than {first}"
    else:
        direction = "more" if effect.estimate >= 0 else "less"
        found = f"{where}, {second} is chosen {100 * amount:.0f} percentage points {direction} often than {first}"
    if judged.interval is None:
        return f"{found}; there are too few participants for an interval."
    sites = "sites like these" if effect.like_these else "these very sites"
    count = f"{effect.participants} participants, {effect.sites} {'site' if effect.sites == 1 else 'sites'}"
    interval = _between(hypothesis, judged.interval, 1 - judged.alpha)
    return f"{found} ({interval}; {count}; holds for {sites}). {_follows(hypothesis, judged)}"


def _between(hypothesis: Hypothesis, interval: Interval, level: float) -> str:
    return f"{100 * level:.4g} % interval {_amount(hypothesis, interval.low)} to {_amount(hypothesis, interval.high)}"


def _amount(hypothesis: Hypothesis, value: float) -> str:
    return f"{value:+.2f}" if hypothesis.kind == "rate" else f"{100 * value:+.0f}"


def _margin(hypothesis: Hypothesis, value: float) -> str:
    return f"{value:.2f} points" if hypothesis.kind == "rate" else f"{100 * value:.0f} percentage points"


def _follows(hypothesis: Hypothesis, judged: Judged) -> str:
    margin = None if hypothesis.margin is None else _margin(hypothesis, hypothesis.margin)
    least = "" if judged.least_margin is None else _margin(hypothesis, judged.least_margin)
    match judged.verdict:
        case Verdict.DIFFERENT if margin is None:
            return "People see a difference; the plan does not state how large a difference matters."
        case Verdict.DIFFERENT:
            return f"People see a difference; it is not shown to be smaller than the margin of {margin}."
        case Verdict.SMALLER:
            return f"People see a difference, but it is smaller than the margin of {margin}."
        case Verdict.EQUIVALENT:
            return f"If there is a difference, it is smaller than the margin of {margin}."
        case _:
            return f"The votes do not decide; they exclude only differences larger than {least}."


def outcome_sentence(hypothesis: Hypothesis, outcome: str, effects: Sequence[str]) -> str:
    """The answer to the hypothesis, and then what it rests on."""
    if not effects:
        return f"{hypothesis.key} cannot be answered: no votes compare these stacks."
    return " ".join([f"{hypothesis.key} is {outcome}.", *effects])
