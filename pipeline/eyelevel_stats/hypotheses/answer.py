"""The answers of the votes to a plan's hypotheses about two stacks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.arms.several import holm
from eyelevel_stats.hypotheses.claims import CodedClaims, coded_claims
from eyelevel_stats.hypotheses.estimand import Effect, effect_of
from eyelevel_stats.hypotheses.in_si import SiChange
from eyelevel_stats.hypotheses.reference import Reference
from eyelevel_stats.hypotheses.verdict import Judged, Verdict, decided, judge
from eyelevel_stats.hypotheses.wording import effect_sentence, outcome_sentence
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.reasons import Reason, worded
from eyelevel_stats.rows.hypotheses import EffectRow, HypothesisRow


class Outcome(StrEnum):
    """The answer of the votes to a hypothesis."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Answers:
    """The answers to all hypotheses, in the plan's order, and the effects behind them."""

    hypotheses: tuple[HypothesisRow, ...]
    effects: tuple[EffectRow, ...]


def answers(
    hypotheses: Iterable[Hypothesis],
    ratings: Sequence[Rating],
    comparisons: Sequence[Comparison],
    *,
    alpha: float,
    reference: Reference | None = None,
) -> Answers:
    """Answers the hypotheses about stacks; those without a kind, and those about metrics, are omitted.

    Without a `reference`, margins in SI and detectable differences are unknown.
    """
    return answers_of(coded_claims(hypotheses, ratings, comparisons), alpha=alpha, reference=reference)


def answers_of(asked: Iterable[CodedClaims], *, alpha: float, reference: Reference | None = None) -> Answers:
    """Answers the same from votes in the form of `coded_claims`."""
    rows: list[HypothesisRow] = []
    effects: list[EffectRow] = []
    for claims in asked:
        hypothesis = claims.hypothesis
        network_effects = [(network, effect_of(votes)) for network, votes in claims.votes]
        claim_rows = _rows(
            hypothesis, [(name, effect) for name, effect in network_effects if effect is not None], alpha, reference
        )
        outcome = outcome_of(hypothesis, [effect for _, effect in network_effects], alpha=alpha)
        unknown = ", ".join(network for network, effect in network_effects if effect is None)
        sentence = outcome_sentence(hypothesis, outcome, claim_rows, unknown)
        rows.append(HypothesisRow(hypothesis.key, hypothesis.says, outcome, sentence, unknown))
        effects += claim_rows
    return Answers(tuple(rows), tuple(effects))


def _rows(
    hypothesis: Hypothesis, effects: Sequence[tuple[str, Effect]], alpha: float, reference: Reference | None
) -> list[EffectRow]:
    judged = [judge(effect, margin=hypothesis.margin, alpha=alpha) for _, effect in effects]
    corrected = holm([result.p_value for result in judged])
    equivalence = holm([result.p_equivalence for result in judged])
    rows = []
    for (network, effect), result, p_holm, p_equivalence in zip(effects, judged, corrected, equivalence, strict=True):
        row = _row(hypothesis, network, effect, result, reference)
        alone = len(effects) == 1 or result.verdict is decided(p_holm, p_equivalence, alpha)
        claim = _claim(hypothesis, effect, alpha=alpha, claims=len(effects))
        row = replace(row, p_holm=p_holm, holds_alone="yes" if alone else "no", claim=claim)
        rows.append(replace(row, sentence=effect_sentence(row)))
    return rows


def _row(
    hypothesis: Hypothesis, network: str, effect: Effect, judged: Judged, reference: Reference | None
) -> EffectRow:
    """Builds the row without its correction and its sentence."""
    assert hypothesis.pair is not None  # noqa: S101 - `answers` asks for it
    first, second = hypothesis.pair
    no_clips = SiChange(None, Reason("no_clips"))
    in_si = no_clips if reference is None else reference.margin_in_si(hypothesis, network)
    return EffectRow(
        hypothesis=hypothesis.key,
        kind=str(hypothesis.kind),
        network=network,
        first=first,
        second=second,
        estimate=effect.estimate,
        level=1 - judged.alpha,
        ci_low=None if judged.interval is None else judged.interval.low,
        ci_high=None if judged.interval is None else judged.interval.high,
        inner_level=1 - 2 * judged.alpha,
        inner_low=None if judged.inner is None else judged.inner.low,
        inner_high=None if judged.inner is None else judged.inner.high,
        p_value=judged.p_value,
        p_holm=None,
        p_equivalence=judged.p_equivalence,
        margin=hypothesis.margin,
        margin_d=None if hypothesis.margin is None or not effect.sd else hypothesis.margin / effect.sd,
        margin_si=in_si.change,
        margin_si_why=worded(in_si.why),
        margin_si_reason=None if in_si.why is None else in_si.why.as_json(),
        least_margin=judged.least_margin,
        power=None if reference is None else reference.power,
        detectable=None if reference is None else reference.detectable(effect),
        verdict=judged.verdict,
        claim="",
        holds_alone="",
        scope="sites like these" if effect.like_these else "these very sites",
        votes=effect.votes,
        participants=effect.participants,
        sites=effect.sites,
        sentence="",
        leading_site=None if effect.leading is None else effect.leading[0],
        leading_part=None if effect.leading is None else effect.leading[1],
    )


def outcome_of(hypothesis: Hypothesis, effects: Sequence[Effect | None], *, alpha: float) -> Outcome:
    """Combines claims about each network: supported if each is, at alpha; contradicted if one is, by Holm.

    The intersection needs no correction (R. L. Berger, Technometrics 24, 1982). A contradiction of any claim is one of
    as many tests as there are claims, and Holm's first step divides alpha by their number. An effect of None means that
    no vote distinguishes the stacks on that network, so its claim is undecided.
    """
    known = [effect for effect in effects if effect is not None]
    outcomes = {_claim(hypothesis, effect, alpha=alpha, claims=len(known)) for effect in known}
    if Outcome.CONTRADICTED in outcomes:
        return Outcome.CONTRADICTED
    everywhere = len(known) == len(effects) > 0
    return Outcome.SUPPORTED if everywhere and outcomes == {Outcome.SUPPORTED} else Outcome.UNDECIDED


def _claim(hypothesis: Hypothesis, effect: Effect, *, alpha: float, claims: int) -> Outcome:
    """Returns the outcome of one of `claims` claims of the hypothesis."""
    outcome = _claimed(hypothesis, effect, alpha)
    if outcome is Outcome.CONTRADICTED and _claimed(hypothesis, effect, alpha / claims) is not Outcome.CONTRADICTED:
        return Outcome.UNDECIDED
    return outcome


def _claimed(hypothesis: Hypothesis, effect: Effect, alpha: float) -> Outcome:
    """Returns the same without a correction for other claims."""
    judged = judge(effect, margin=hypothesis.margin, alpha=alpha)
    small = judged.verdict in (Verdict.EQUIVALENT, Verdict.SMALLER)
    if hypothesis.expects == "equivalent":
        if small:
            return Outcome.SUPPORTED
        return Outcome.CONTRADICTED if _beyond(judged, hypothesis.margin) else Outcome.UNDECIDED
    if judged.verdict is Verdict.EQUIVALENT:
        return Outcome.CONTRADICTED
    if judged.verdict is Verdict.UNDECIDED:
        return Outcome.UNDECIDED
    direction = "higher" if effect.estimate > 0 else "lower"
    return Outcome.SUPPORTED if hypothesis.expects in ("different", direction) else Outcome.CONTRADICTED


def _beyond(judged: Judged, margin: float | None) -> bool:
    """Whether the whole inner interval lies beyond the margin, on one side."""
    return (
        margin is not None and judged.inner is not None and (judged.inner.low > margin or judged.inner.high < -margin)
    )
