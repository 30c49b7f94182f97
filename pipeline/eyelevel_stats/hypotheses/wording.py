"""Sentences about the answers to hypotheses."""

from collections.abc import Sequence

import numpy as np

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.verdict import Verdict
from eyelevel_stats.rows.hypotheses import EffectRow
from eyelevel_stats.rows.words import level_percent


def effect_sentence(row: EffectRow) -> str:
    """Describes an effect on one network, or pooled: intervals, verdict, margins, and detectable difference."""
    clause = _difference(row)
    if row.ci_low is None or row.ci_high is None or row.inner_low is None or row.inner_high is None:
        return f"{clause}; there are too few participants or votes for an interval."
    count = f"{row.participants} participants, {row.sites} {'site' if row.sites == 1 else 'sites'}"
    intervals = (
        f"{_between(row, row.level, row.ci_low, row.ci_high)}, and for equivalence "
        f"{_between(row, row.inner_level, row.inner_low, row.inner_high)}"
    )
    said = f"{clause} ({intervals}; {count}; holds for {row.scope})."
    parts = [said, _follows(row), _alone(row), _margins(row), _detectable(row)]
    return " ".join(part for part in parts if part)


def _difference(row: EffectRow) -> str:
    where = "Over all networks together" if row.network == "pooled" else f"On {row.network}"
    rated = row.kind == "rate"
    if row.estimate == 0:
        return f"{where}, {row.second} and {row.first} are {'rated equally' if rated else 'chosen equally often'}"
    direction = ("higher" if rated else "more often") if row.estimate > 0 else ("lower" if rated else "less often")
    shown = round(abs(row.estimate), 2)
    size = _size(row, shown) if shown else f"less than {_size(row, 0.01)}"
    return f"{where}, {row.second} is {'rated' if rated else 'chosen'} {size} {direction} than {row.first}"


def _between(row: EffectRow, level: float, low: float, high: float) -> str:
    return f"{level_percent(level)} % interval {_amount(row, low)} to {_amount(row, high)}"


def _amount(row: EffectRow, value: float) -> str:
    return f"{value:+.2f}" if row.kind == "rate" else f"{100 * value:+.0f}"


def _size(row: EffectRow, value: float) -> str:
    if row.kind == "rate":
        return f"{value:.2f} points"
    percent = f"{100 * value:.0f}"
    return f"{percent} percentage {'point' if percent == '1' else 'points'}"


def _follows(row: EffectRow) -> str:
    margin = None if row.margin is None else _size(row, row.margin)
    match row.verdict:
        case Verdict.DIFFERENT if margin is None:
            return "People see a difference; the plan does not state how large a difference matters."
        case Verdict.DIFFERENT:
            return f"People see a difference; it is not shown to be smaller than the margin of {margin}."
        case Verdict.SMALLER:
            return f"People see a difference, but it is smaller than the margin of {margin}."
        case Verdict.EQUIVALENT:
            return f"If there is a difference, it is smaller than the margin of {margin}."
        case _:
            return "The votes do not decide."


def _alone(row: EffectRow) -> str:
    """States, for a network among several, if its verdict may not be quoted without the others."""
    if row.holds_alone == "yes":
        return ""
    return (
        "This verdict does not hold after correction for the number of networks (Holm), so do not quote it without the "
        "others."
    )


def _margins(row: EffectRow) -> str:
    """Describes the smallest margin, and the plan's margin in other units."""
    said = []
    if row.least_margin is not None:
        said.append(f"These votes show equivalence only for a margin of at least {_size(row, row.least_margin)}.")
    if row.margin is not None:
        if row.margin_d is not None:
            said.append(f"The margin of {_size(row, row.margin)} is {row.margin_d:.2f} SD of single votes.")
        if row.margin_si is not None:
            said.append(f"An SI that is {_percent(row.margin_si)} larger changes the votes by as much as the margin.")
        else:
            said.append(f"The margin cannot be expressed as a change of SI: {row.margin_si_why}.")
    return " ".join(said)


def _detectable(row: EffectRow) -> str:
    if row.detectable is None or row.power is None:
        return ""
    return (
        f"With votes that vary as these do, the planned number of participants finds a difference of "
        f"{_size(row, row.detectable)} with a probability of {level_percent(row.power)} %."
    )


def _percent(share: float) -> str:
    """Formats a percentage with three significant digits and without an exponent."""
    return f"{np.format_float_positional(100 * share, precision=3, unique=False, fractional=False, trim='-')} %"


def outcome_sentence(hypothesis: Hypothesis, outcome: str, effects: Sequence[EffectRow], unknown: str) -> str:
    """Returns the answer to the hypothesis, followed by its effect, or the verdict of each network."""
    if not effects:
        return f"{hypothesis.key} cannot be answered: no votes compare these stacks."
    rests_on = effects[0].sentence
    if len(effects) > 1:
        rests_on = f"{'; '.join(f'{row.network}: {row.verdict}' for row in effects)}."
    if unknown:
        rests_on += f" No votes compare these stacks on {unknown}."
    contradicting = [row.network for row in effects if row.claim == "contradicted"] if len(effects) > 1 else []
    by = f" by the votes on {', '.join(contradicting)}" if contradicting else ""
    return f"{hypothesis.key} is {outcome}{by}. {rests_on}"
