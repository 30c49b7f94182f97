"""The multiverse of exclusions: the plan's hypotheses answered under every combination of rules of conformance.

S. Steegen, F. Tuerlinckx, A. Gelman and W. Vanpaemel, Increasing transparency through a multiverse analysis,
Perspectives on Psychological Science 11 (2016). The cells are all 128 subsets of R1 to R7, the rules of the 2019 study,
each without and with the newer rules R8 and R9. A cell uses the sessions that break none of its rules.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.conformance.rules import RULES
from eyelevel_stats.hypotheses.answer import answers_of
from eyelevel_stats.hypotheses.claims import coded_claims
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.rows.hypotheses import EffectRow
from eyelevel_stats.rows.trust import NEWER, NO_RULE, VARIED, MultiverseRow, MultiverseSummaryRow


@dataclass(frozen=True)
class Multiverse:
    """Cells in the order of the subsets' size, without and then with the newer rules; effects in the plan's order."""

    cells: tuple[MultiverseRow, ...]
    summary: tuple[MultiverseSummaryRow, ...]


Key = tuple[str, str]
Effects = Mapping[Key, EffectRow]


@dataclass(frozen=True)
class _Cell:
    rules: tuple[str, ...]
    newer: bool
    used: frozenset[str]


def multiverse(
    broken: Mapping[str, Collection[str]],
    ratings: Iterable[Rating],
    comparisons: Iterable[Comparison],
    hypotheses: Sequence[Hypothesis],
    *,
    plan_rules: Collection[str],
    alpha: float,
) -> Multiverse:
    """Computes the multiverse; `broken` has the rules that each completed session certainly breaks, if any.

    The votes are those of all these sessions; the caller omits sessions that are not used for reasons other than rules,
    such as those over quota. `plan_rules` are the rules by which the study excludes. Hypotheses are answered once for
    each different set of sessions. Raise ValueError for an unknown rule, or for a vote of a session that is not in
    `broken`.
    """
    votes, pairs = sorted(ratings), sorted(comparisons)
    _check(broken, plan_rules, {vote.participant for vote in votes} | {pair.participant for pair in pairs})
    claims = coded_claims(hypotheses, votes, pairs)
    effects_of: dict[frozenset[str], Effects] = {}

    def effects(used: frozenset[str]) -> Effects:
        if used not in effects_of:
            rows = answers_of([claim.by(used) for claim in claims], alpha=alpha).effects
            effects_of[used] = {(row.hypothesis, row.network): row for row in rows}
        return effects_of[used]

    cells = [(cell, effects(cell.used)) for cell in _cells(broken)]
    sets = len(effects_of)
    plan = effects(_used(broken, plan_rules))
    keys = _keys(hypotheses, [plan, *(by_key for _, by_key in cells)])
    return Multiverse(
        cells=tuple(_row(cell, key, by_key.get(key)) for cell, by_key in cells for key in keys),
        summary=tuple(
            _summary(key, [by_key.get(key) for _, by_key in cells], sets, plan_rules, plan.get(key)) for key in keys
        ),
    )


def _check(broken: Mapping[str, Collection[str]], plan_rules: Collection[str], voted: Collection[str]) -> None:
    unknown = sorted({rule for rules in (*broken.values(), plan_rules) for rule in rules} - set(RULES))
    if unknown:
        raise ValueError(f"Unknown rules: {', '.join(unknown)}; known are {', '.join(RULES)}.")
    unnamed = sorted(set(voted) - broken.keys())
    if unnamed:
        raise ValueError(f"{len(unnamed)} sessions have votes but no findings, the first is {unnamed[0]}.")


def _cells(broken: Mapping[str, Collection[str]]) -> Iterator[_Cell]:
    for newer in (False, True):
        for size in range(len(VARIED) + 1):
            for rules in combinations(VARIED, size):
                yield _Cell(rules, newer, _used(broken, (*rules, *(NEWER if newer else ()))))


def _used(broken: Mapping[str, Collection[str]], rules: Collection[str]) -> frozenset[str]:
    return frozenset(session for session, rules_broken in broken.items() if not set(rules) & set(rules_broken))


def _keys(hypotheses: Sequence[Hypothesis], all_effects: Iterable[Effects]) -> list[Key]:
    """Returns the keys of every effect that any cell has: in the plan's order, then by network."""
    place = {hypothesis.key: number for number, hypothesis in enumerate(hypotheses)}
    return sorted({key for effects in all_effects for key in effects}, key=lambda key: (place[key[0]], key[1]))


def _row(cell: _Cell, key: Key, effect: EffectRow | None) -> MultiverseRow:
    return MultiverseRow(
        rules=" ".join(cell.rules) or NO_RULE,
        newer="yes" if cell.newer else "no",
        sessions=len(cell.used),
        hypothesis=key[0],
        network=key[1],
        estimate=None if effect is None else effect.estimate,
        ci_low=None if effect is None else effect.ci_low,
        ci_high=None if effect is None else effect.ci_high,
        verdict=None if effect is None else str(effect.verdict),
    )


def _summary(
    key: Key,
    effects: Sequence[EffectRow | None],
    session_sets: int,
    plan_rules: Collection[str],
    plan: EffectRow | None,
) -> MultiverseSummaryRow:
    estimates = [effect.estimate for effect in (*effects, plan) if effect is not None]
    same = None if plan is None else sum(effect is not None and effect.verdict == plan.verdict for effect in effects)
    return MultiverseSummaryRow(
        hypothesis=key[0],
        network=key[1],
        cells=len(effects),
        session_sets=session_sets,
        answered=sum(effect is not None for effect in effects),
        least_estimate=min(estimates),
        greatest_estimate=max(estimates),
        plan_rules=" ".join(rule for rule in RULES if rule in plan_rules) or NO_RULE,
        plan_estimate=None if plan is None else plan.estimate,
        plan_verdict=None if plan is None else str(plan.verdict),
        same_verdict=same,
        share_same_verdict=None if same is None else same / len(effects),
    )
