"""Distribution of scores: counts per value, shares good or better and poor or worse, floor and ceiling effects."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from eyelevel_stats.intervals import Interval, wilson
from eyelevel_stats.observations import Rating
from eyelevel_stats.opinion import opinions
from eyelevel_stats.rows.answers import END_SHARE, ScoreRow, ShareRow


@dataclass(frozen=True)
class Cuts:
    """Scores from `good` up are good or better; scores up to `poor` are poor or worse."""

    good: float
    poor: float


# the five-point cuts are those of %GoB and %PoW in ITU-T G.107 annex B and ETSI ETR 250 for the opinion scale of ITU-T
# P.800 (4 good, 2 poor). The seven-point cut is Eyelevel's, by the same words of its labels: 5 good, 3 poor
CUTS = {(1.0, 5.0): Cuts(good=4, poor=2), (1.0, 7.0): Cuts(good=5, poor=3)}

Condition = tuple[str | None, str, str, str | None]


def score_rows(votes: Sequence[Rating], *, scale: tuple[float, float]) -> tuple[ScoreRow, ...]:
    """Counts scores per network and stack over all sites and contexts, then per site, network, stack and context.

    Raise ValueError where a score is not a whole number within the scale.
    """
    return tuple(
        ScoreRow(*condition, score, count[score], total, count[score] / total)
        for condition, ratings in _by_condition(votes)
        for count, total in [(_counts(ratings, scale), len(ratings))]
        for score in range(int(scale[0]), int(scale[1]) + 1)
    )


def share_rows(votes: Sequence[Rating], *, scale: tuple[float, float]) -> tuple[ShareRow, ...]:
    """Computes shares of the same conditions in the same order; scores need not be whole numbers.

    Shares are of votes; their Wilson intervals count participants, as in `preferences`: the answers of one participant
    are not independent. Raise ValueError where a score is off the scale.
    """
    return tuple(_shares(condition, ratings, scale) for condition, ratings in _by_condition(votes))


def end_effect(lowest: float, highest: float) -> str:
    """Returns the effect at the ends of the scale, by the shares of both ends: none, floor, ceiling or both.

    C. B. Terwee et al. (J. Clin. Epidemiol. 60, 2007) call 15 % of respondents an effect in sum scores with many
    values; seven points need a larger share (see END_SHARE).
    """
    return {
        (False, False): "none",
        (True, False): "floor",
        (False, True): "ceiling",
        (True, True): "both",
    }[lowest > END_SHARE, highest > END_SHARE]


def _by_condition(votes: Sequence[Rating]) -> list[tuple[Condition, list[Rating]]]:
    pooled: defaultdict[tuple[str, str], list[Rating]] = defaultdict(list)
    single: defaultdict[tuple[str, str, str, str], list[Rating]] = defaultdict(list)
    for vote in votes:
        pooled[vote.network, vote.stack].append(vote)
        single[vote.site, vote.network, vote.stack, vote.context].append(vote)
    of_networks: list[tuple[Condition, list[Rating]]] = [
        ((None, *key, None), ratings) for key, ratings in sorted(pooled.items())
    ]
    return of_networks + sorted(single.items())


def _counts(votes: Sequence[Rating], scale: tuple[float, float]) -> Counter[int]:
    for vote in votes:
        if vote.score != int(vote.score) or not scale[0] <= vote.score <= scale[1]:
            raise ValueError(f"The score {vote.score:g} is not a whole number from {scale[0]:g} to {scale[1]:g}.")
    return Counter(int(vote.score) for vote in votes)


def _shares(condition: Condition, votes: Sequence[Rating], scale: tuple[float, float]) -> ShareRow:
    scores = sorted(vote.score for vote in votes)
    # sorted: the same votes in another order give the same floats
    given = sorted((vote.participant, vote.score) for vote in votes)
    opinion = opinions(["all"] * len(given), [who for who, _ in given], [score for _, score in given], scale=scale)[
        "all"
    ]
    low, high = scale
    cuts = CUTS.get((float(low), float(high)))
    good = None if cuts is None else sum(score >= cuts.good for score in scores) / len(scores)
    poor = None if cuts is None else sum(score <= cuts.poor for score in scores) / len(scores)
    good_ends, poor_ends = _wilson(good, opinion.n), _wilson(poor, opinion.n)
    lowest, highest = (sum(score == end for score in scores) / len(scores) for end in scale)
    return ShareRow(
        *condition,
        n=opinion.n,
        votes=opinion.votes,
        mos=opinion.mos,
        median=median(scores),
        good_or_better=good,
        good_ci_low=None if good_ends is None else good_ends.low,
        good_ci_high=None if good_ends is None else good_ends.high,
        poor_or_worse=poor,
        poor_ci_low=None if poor_ends is None else poor_ends.low,
        poor_ci_high=None if poor_ends is None else poor_ends.high,
        lowest=lowest,
        highest=highest,
        end_effect=end_effect(lowest, highest),
    )


def _wilson(share: float | None, n: int) -> Interval | None:
    return None if share is None else wilson(share, n)
