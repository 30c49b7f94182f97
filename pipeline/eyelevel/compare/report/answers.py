"""Conclusions about each pair in sentences, by network."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.inference import LEVEL, OverallTest
from eyelevel.compare.model import Pair
from eyelevel.report.words import interval, listed, one_decimal, percent, plural, said_p, signed_ms
from eyelevel_core.model.metrics import METRIC_OF
from eyelevel_stats.arms.rates import MISMATCHED

# the headline metric of the paper, and that of the browser
HEADLINE = ("si", "plt")
Claim = Literal["faster", "slower", "open", "nothing"]
VERDICTS: dict[Claim, str] = {
    "faster": "{new} is faster than {reference}",
    "slower": "{new} is slower than {reference}",
    "open": "no difference between {new} and {reference} can be claimed",
    "nothing": "too little data to tell {new} from {reference}",
}


@dataclass(frozen=True)
class Answer:
    """The result for one pair on one network; `sites_like_these` says whether the claim extends to other sites."""

    network: str
    claim: Claim
    sites_like_these: bool
    sites: int
    gain: float | None
    sentence: str


def lead(comparison: Comparison) -> str:
    """Returns the first paragraph: page loads, missing runs, and exclusions."""
    loads, campaign = comparison.loads, comparison.batch.campaign
    sites = sorted({load.site for load in loads})
    networks = comparison.networks
    stacks = sorted({load.stack for load in loads})
    words = (
        f"{plural(len(loads), 'page load')} of {plural(len(sites), 'site')} over {listed(networks)} "
        f"with {listed(stacks)}, up to {plural(campaign.most_runs, 'run')} each."
    )
    missing, planned = (
        sum(row.missing or 0 for row in comparison.counts),
        sum(row.planned or 0 for row in comparison.counts),
    )
    if missing:
        words += f" {missing:,} of {planned:,} planned runs have no take."
    without = [row.stack for row in comparison.counts if not row.takes]
    if without:
        words += f" No run of {listed(without)} has a take, so nothing is known about it."
    excluded = [row.site for row in comparison.fidelity if not row.kept]
    if excluded:
        words += (
            " Excluded for all stacks, because a viewer would miss too much or the fidelity is unknown: "
            f"{listed(excluded)}."
        )
    unlike = list(dict.fromkeys(f"{row.site} on {row.network}" for row in comparison.settings_mismatches))
    if unlike:
        words += f" Excluded for all stacks, because stacks differ in more than their definitions: {listed(unlike)}."
    if comparison.content_mismatches:
        takes = plural(len(comparison.content_mismatches), "take")
        words += f" Excluded for a content mismatch: {takes}{_uneven(comparison)}."
    if campaign.paired:
        words += " Runs are paired: all stacks of a run share a seed and are compared within it."
    return words


def _uneven(comparison: Comparison) -> str:
    """A warning if excluding takes may favour a stack."""
    pairs = [
        str(row.pair)
        for row in comparison.rates
        if row.kind == MISMATCHED and row.p_adjusted is not None and row.p_adjusted < LEVEL
    ]
    return f", and not evenly ({listed(pairs)}), so the remaining takes may favour a stack" if pairs else ""


def answers(comparison: Comparison, pair: Pair) -> list[Answer]:
    """Returns the answers about a pair, by network."""
    rows = [row for row in comparison.overall if row.pair == pair]
    networks = list(dict.fromkeys(row.network for row in rows))
    return [_answer(network, [row for row in rows if row.network == network]) for network in networks]


def verdict(pair: Pair, answers: Sequence[Answer]) -> str:
    """Returns the headline about a pair in one sentence, from its answers by network."""
    parts = []
    for claim, words in VERDICTS.items():
        of_claim = [answer for answer in answers if answer.claim == claim]
        sure = claim in {"faster", "slower"}
        here = [_place(answer, with_gain=sure) for answer in of_claim if not answer.sites_like_these and sure]
        wide = [_place(answer, with_gain=sure) for answer in of_claim if answer.sites_like_these or not sure]
        places = [f"on {listed(wide)}"] if wide else []
        if here:
            one_site = all(answer.sites == 1 for answer in of_claim if not answer.sites_like_these)
            reach = "this very site" if one_site else "these very sites"
            places.append(f"on {listed(here)} for {reach} only")
        if of_claim:
            parts.append(f"{words.format(new=pair.new, reference=pair.reference)} {', and '.join(places)}")
    return f"{'; '.join(parts)}."


def _place(answer: Answer, *, with_gain: bool) -> str:
    return f"{answer.network} ({percent(answer.gain)})" if with_gain else answer.network


def _answer(network: str, rows: Sequence[OverallTest]) -> Answer:
    by_metric = {row.metric: row for row in rows}
    first = by_metric[HEADLINE[0]]
    claim = _claim(first)
    parts = [_figures(by_metric[metric]) for metric in HEADLINE]
    sentence = f"{_opening(first, claim)} {'; '.join(parts)}.{_warnings(rows)}"
    return Answer(
        network,
        claim,
        first.decided and claim in {"faster", "slower"},
        first.estimate.sites if first.estimate else 0,
        None if first.estimate is None else first.estimate.gain,
        sentence,
    )


def _claim(row: OverallTest) -> Claim:
    if row.estimate is None or (row.p_adjusted is None and row.here_p_adjusted is None):
        return "nothing"
    if not (row.decided or row.decided_here) or not row.readable:
        return "open"
    return "faster" if row.estimate.gain < 0 else "slower"


def _opening(row: OverallTest, claim: Claim) -> str:
    number = row.estimate.sites if row.estimate else 0
    sites = plural(number, "site")
    if claim == "nothing":
        return f"Nothing can be concluded from {plural(row.runs, 'run')} of {sites}. Measured:"
    if claim == "open":
        return f"No difference can be claimed with {plural(row.runs, 'run')} of {sites}:"
    if row.decided:
        reach = f"on sites like these {number}"
    elif number == 1:
        reach = "on this very site, which says little about others"
    else:
        reach = f"on these very {sites}, which says little about others"
    return f"{row.pair.new} is {claim} {reach}:"


def _figures(row: OverallTest) -> str:
    words = METRIC_OF[row.metric].name
    if row.estimate is None:
        return f"{words} unknown"
    estimate = row.estimate
    if row.decided or estimate.here_ci_low is None:
        low, high, p = estimate.gain_ci_low, estimate.gain_ci_high, row.p_adjusted
    else:
        low, high, p = estimate.here_ci_low, estimate.here_ci_high, row.here_p_adjusted
    if low is None or high is None:
        return f"{words} {percent(estimate.gain)}"
    return f"{words} {percent(estimate.gain)} (95\u00a0% interval {interval(low, high)}, corrected p{said_p(p)})"


def _warnings(rows: Sequence[OverallTest]) -> str:
    sentences = ""
    first = next(row for row in rows if row.metric == HEADLINE[0])
    if first.under_floor:
        sentences += (
            f" The Speed Index differs by {signed_ms(first.difference_ms)}\u00a0ms, which is not above the detection "
            f"floor of the films’ alignment and cost ({one_decimal(first.floor_ms)}\u00a0ms)."
        )
    if first.floor_unknown and (first.decided or first.decided_here):
        sentences += " The alignment of the films is unknown, so no difference in visual metrics is claimed."
    if censored := max(row.censored_runs for row in rows):
        sentences += f" {plural(censored, 'run')} never settled and count as the limit."
    return sentences
