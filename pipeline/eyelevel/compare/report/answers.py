"""The answer in sentences: what may be claimed about each pair, network by network, and what may not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel.compare.belief import OverallTest
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.model import METRIC_WORDS, Pair
from eyelevel.compare.report.words import interval, listed, one_decimal, percent, plural, signed_ms

# the paper's own headline metric, and the one that the browser tells
HEADLINE = ("si", "plt")
Claim = Literal["faster", "slower", "open", "nothing"]


@dataclass(frozen=True)
class Answer:
    """What is said about one pair on one network; `claim` is the headline's, `sites_like_these` how far it reaches."""

    network: str
    claim: Claim
    sites_like_these: bool
    sentence: str


def lead(comparison: Comparison) -> str:
    loads, campaign = comparison.loads, comparison.batch.campaign
    sites = sorted({load.site for load in loads})
    networks = sorted({load.network for load in loads})
    stacks = sorted({load.stack for load in loads})
    words = (
        f"{plural(len(loads), 'page load')} of {plural(len(sites), 'site')} over {listed(networks)} "
        f"with {listed(stacks)}, up to {plural(campaign.runs, 'run')} each."
    )
    gone = [row.site for row in comparison.fidelity if not row.kept]
    if gone:
        words += f" Left out in every arm, for lack of fidelity: {listed(gone)}."
    if campaign.paired:
        words += " Runs are paired: all stacks of a run share a seed and are compared within it."
    return words


def answers(comparison: Comparison, pair: Pair) -> list[Answer]:
    rows = [row for row in comparison.overall if row.pair == pair]
    networks = list(dict.fromkeys(row.network for row in rows))
    return [_answer(network, [row for row in rows if row.network == network]) for network in networks]


def _answer(network: str, rows: Sequence[OverallTest]) -> Answer:
    own = {row.metric: row for row in rows}
    first = own[HEADLINE[0]]
    claim = _claim(first)
    parts = [_figures(own[metric]) for metric in HEADLINE]
    sentence = f"{_opening(first, claim)} {'; '.join(parts)}.{_warnings(rows)}"
    return Answer(network, claim, first.decided, sentence)


def _claim(row: OverallTest) -> Claim:
    if row.found is None or (row.adjusted_p is None and row.here_adjusted_p is None):
        return "nothing"
    if not (row.decided or row.decided_here) or row.under_floor:
        return "open"
    return "faster" if row.found.gain < 0 else "slower"


def _opening(row: OverallTest, claim: Claim) -> str:
    sites = plural(row.found.sites if row.found else 0, "site")
    if claim == "nothing":
        return f"Nothing can be concluded from {plural(row.runs, 'run')} of {sites}; what was measured:"
    if claim == "open":
        return f"No difference can be claimed with {plural(row.runs, 'run')} of {sites}:"
    reach = f"on sites like these {sites}" if row.decided else f"on these very {sites}, which says little of others"
    return f"{row.pair.new} is {claim} {reach}:"


def _figures(row: OverallTest) -> str:
    words = METRIC_WORDS[row.metric]
    if row.found is None:
        return f"{words} unknown"
    found = row.found
    if row.decided or found.here_ci_low is None:
        low, high = found.gain_ci_low, found.gain_ci_high
    else:
        low, high = found.here_ci_low, found.here_ci_high
    if low is None or high is None:
        return f"{words} {percent(found.gain)}"
    return f"{words} {percent(found.gain)} (95 % interval {interval(low, high)})"


def _warnings(rows: Sequence[OverallTest]) -> str:
    said = ""
    first = next(row for row in rows if row.metric == HEADLINE[0])
    if first.under_floor:
        said += (
            f" The Speed Index differs by {signed_ms(first.difference_ms)} ms, which is not more than the error of the "
            f"films' alignment may be ({one_decimal(first.floor_ms)} ms)."
        )
    if censored := max(row.censored for row in rows):
        said += f" {plural(censored, 'run')} never settled and count as the limit."
    return said
