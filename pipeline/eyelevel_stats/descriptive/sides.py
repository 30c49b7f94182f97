"""Side bias of comparisons: whether the video on the left is chosen more often."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt

from scipy import special

from eyelevel_stats.intervals import wilson
from eyelevel_stats.observations import Comparison
from eyelevel_stats.rows.trust import SideRow
from eyelevel_stats.rows.words import ALL

FAIR = 0.5


def side_rows(votes: Sequence[Comparison]) -> tuple[SideRow, ...]:
    """Computes a row for all networks together, then one per network if there are several; none without votes."""
    networks = sorted({vote.network for vote in votes})
    rows = [_row(ALL, votes)] if votes else []
    if len(networks) > 1:
        rows += [_row(name, [vote for vote in votes if vote.network == name]) for name in networks]
    return tuple(rows)


def effective_n(answers: Sequence[tuple[int, int]]) -> float:
    """Computes the number of independent answers with the same variance; `answers` are (left, right) per person.

    L. Kish, Survey sampling (1965): answers divided by the design effect, the variance clustered by participant over
    the binomial one; at most the number of answers. Wilson's interval uses it as in E. L. Korn, B. I. Graubard (Survey
    Methodology 24, 1998). It is the number of participants where all answers are alike or one participant answers.
    """
    n, people = sum(map(sum, answers)), len(answers)
    share = sum(left for left, _ in answers) / n
    if people < 2 or share in (0, 1):
        return float(people)
    moved = sum((left - share * (left + right)) ** 2 for left, right in answers)
    clustered = moved / n**2 * people / (people - 1)
    return n if clustered == 0 else min(float(n), share * (1 - share) / clustered)


def _row(network: str, votes: Sequence[Comparison]) -> SideRow:
    count = Counter(vote.choice for vote in votes)
    choices: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for vote in votes:
        if vote.choice != "none":
            choices[vote.participant][vote.choice] += 1
    decided = count["left"] + count["right"]
    share = n = interval = p = None
    if decided:
        share = count["left"] / decided
        n = effective_n([(each["left"], each["right"]) for _, each in sorted(choices.items())])
        interval = wilson(share, n)
        p = min(1.0, 2 * float(special.ndtr(-abs(share - FAIR) * sqrt(n) / FAIR)))
    return SideRow(
        network=network,
        participants=len(choices),
        left=count["left"],
        right=count["right"],
        undecided=count["none"],
        share_left=share,
        effective_n=n,
        ci_low=None if interval is None else interval.low,
        ci_high=None if interval is None else interval.high,
        p_value=p,
    )
