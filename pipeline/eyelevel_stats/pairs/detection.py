"""Detection of differences between stacks, corrected for false alarms: d' by network.

d' = z((h + 0.5) / (n + 1)) - z((f + 0.5) / (n' + 1)), where h of n answers about two stacks name a side, whichever,
and f of n' answers about pairs of one take do so, in which nothing differs (W. P. Tanner and J. A. Swets, Psychological
Review 61, 1954; constants: M. J. Hautus, Behavior Research Methods, Instruments, & Computers 27, 1995). Variance:
V. Gourevitch and E. Galanter, A significance test for one parameter isosensitivity functions, Psychometrika 32 (1967),
for independent answers; or that of the linearised d' clustered by participant, where it is greater. The latter alone
would be 0 where nobody names a side.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt

from scipy import special, stats

from eyelevel_stats.intervals import CONFIDENCE
from eyelevel_stats.pairs.observations import PairVote, SameVote
from eyelevel_stats.rows.comparisons import DetectionRow


def detection_rows(votes: Iterable[PairVote], same: Iterable[SameVote]) -> tuple[DetectionRow, ...]:
    """A row per network that has votes about two stacks, sorted."""
    different: dict[str, list[PairVote]] = {}
    alike: dict[str, list[SameVote]] = {}
    for vote in votes:
        different.setdefault(vote.network, []).append(vote)
    for other in same:
        alike.setdefault(other.network, []).append(other)
    return tuple(
        _row(network, network_votes, alike.get(network, [])) for network, network_votes in sorted(different.items())
    )


def corrected_rate(count: int, n: int) -> float:
    """(count + 0.5) / (n + 1): never 0 or 1, so that z is finite (Hautus 1995)."""
    return (count + 0.5) / (n + 1)


def d_prime(hit_rate: float, false_alarm_rate: float) -> float:
    """z(hit rate) - z(false alarm rate); both between 0 and 1, without the ends."""
    return float(special.ndtri(hit_rate) - special.ndtri(false_alarm_rate))


def d_prime_variance(hit_rate: float, n: float, false_alarm_rate: float, others: float) -> float:
    """The variance of d' for rates of n and of other independent answers (Gourevitch and Galanter 1967)."""
    parts = ((hit_rate, n), (false_alarm_rate, others))
    return sum(rate * (1 - rate) / (count * float(stats.norm.pdf(special.ndtri(rate))) ** 2) for rate, count in parts)


def _row(network: str, votes: Sequence[PairVote], same: Sequence[SameVote]) -> DetectionRow:
    one_take = [vote for vote in same if vote.one_take]
    two = [vote for vote in same if vote.one_take is False]
    people, one_people = ({vote.participant for vote in answers} for answers in (votes, one_take))
    estimate = low = high = None
    if one_take:
        hit, alarm = (corrected_rate(_named(answers), len(answers)) for answers in (votes, one_take))
        estimate = d_prime(hit, alarm)
        count = len(people | one_people)
        if count > 1:
            variance = max(
                d_prime_variance(hit, len(votes), alarm, len(one_take)), _clustered(votes, hit, one_take, alarm)
            )
            half = float(special.stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * sqrt(variance)
            low, high = estimate - half, estimate + half
    return DetectionRow(
        network=network,
        n=len(votes),
        named=_named(votes),
        participants=len(people),
        one_take_n=len(one_take),
        one_take_named=_named(one_take),
        one_take_participants=len(one_people),
        two_takes_n=len(two),
        two_takes_named=_named(two),
        unknown_takes_n=len(same) - len(one_take) - len(two),
        d_prime=estimate,
        ci_low=low,
        ci_high=high,
        why=None if one_take else "no answer is about a pair that shows one take twice",
    )


def _clustered(votes: Sequence[PairVote], hit: float, one_take: Sequence[SameVote], alarm: float) -> float:
    """The variance of d' where only participants are independent: each moves it by what their answers depart."""
    moved: defaultdict[str, float] = defaultdict(float)
    sides: tuple[tuple[Sequence[PairVote] | Sequence[SameVote], float, int], ...] = (
        (votes, hit, 1),
        (one_take, alarm, -1),
    )
    for answers, rate, sign in sides:
        share = _named(answers) / len(answers)
        slope = sign / (len(answers) * float(stats.norm.pdf(special.ndtri(rate))))
        for vote in answers:
            moved[vote.participant] += slope * ((vote.choice != "none") - share)
    return sum(value**2 for value in moved.values()) * len(moved) / (len(moved) - 1)


def _named(votes: Sequence[PairVote] | Sequence[SameVote]) -> int:
    return sum(vote.choice != "none" for vote in votes)
