"""Sureness and replays by network and answer.

Means are over participants, of whom each counts once, with Student's t (see `eyelevel_stats.opinion`). Answers left and
right together are `decided`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

import numpy as np

from eyelevel_stats.intervals import student_half_widths
from eyelevel_stats.opinion import opinions
from eyelevel_stats.pairs.observations import Choice, PairVote

Answer = Literal["decided", "none"]
# from not sure at all to very sure
SCALE = (1, 5)

COLUMNS = {
    "network": "network of the clips",
    "choice": "left, right or none",
    "answer": "decided: the answers left and right; none: no difference",
    "sureness": "1 not sure at all to 5 very sure",
    "n": "answers of this network, choice and sureness; in tables of means, answers whose value is known",
    "share": "share of n in the answers of this network and choice whose sureness is known",
    "participants": "people who gave the n answers",
    "mean": "mean over participants of each one's mean: of sureness (1 to 5), or of replays before the answer",
    "ci_low": "lower end of the 95 % interval of mean: Student's t over participants, cut at the ends of the scale; "
    "empty for one participant",
    "ci_high": "upper end of the same interval",
    "decided_mean": "mean sureness of decided answers, over the participants counted here",
    "none_mean": "mean sureness of answers none, over the same participants",
    "difference": "decided_mean minus none_mean: above 0, people are surer where they name a side",
    "difference_ci_low": "lower end of the 95 % interval of difference: Student's t of the differences within "
    "participants; empty for one participant",
    "difference_ci_high": "upper end of the same interval",
    "both": "participants who gave both a decided answer and none, with known sureness",
}


@dataclass(frozen=True)
class SurenessRow:
    """How often one sureness went with one answer on one network; COLUMNS describes the fields."""

    network: str
    choice: Choice
    sureness: int
    n: int
    share: float


@dataclass(frozen=True)
class AnswerMeanRow:
    """Mean sureness, or mean replays, of one kind of answer on one network; COLUMNS describes the fields."""

    network: str
    answer: Answer
    n: int
    participants: int
    mean: float
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True)
class SurenessDifferenceRow:
    """Mean sureness of decided answers against none on one network; COLUMNS describes the fields."""

    network: str
    both: int
    decided_mean: float
    none_mean: float
    difference: float
    difference_ci_low: float | None
    difference_ci_high: float | None


def sureness_rows(votes: Iterable[PairVote]) -> tuple[SurenessRow, ...]:
    """A row per network, choice and sureness from 1 to 5, for choices that occur with a known sureness."""
    counts: defaultdict[tuple[str, Choice], Counter[int]] = defaultdict(Counter)
    for vote in votes:
        if vote.sureness is not None:
            counts[vote.network, vote.choice][vote.sureness] += 1
    return tuple(
        SurenessRow(network, choice, sureness, count[sureness], count[sureness] / count.total())
        for (network, choice), count in sorted(counts.items())
        for sureness in range(SCALE[0], SCALE[1] + 1)
    )


def sureness_mean_rows(votes: Iterable[PairVote]) -> tuple[AnswerMeanRow, ...]:
    """A row per network and answer with known sureness, sorted."""
    known = [(vote, vote.sureness) for vote in votes if vote.sureness is not None]
    return _means(known, SCALE)


def replay_rows(votes: Iterable[PairVote]) -> tuple[AnswerMeanRow, ...]:
    """A row per network and answer with known replays, sorted."""
    known = [(vote, vote.replays) for vote in votes if vote.replays is not None]
    return _means(known, (0, np.inf))


def sureness_difference_rows(votes: Iterable[PairVote]) -> tuple[SurenessDifferenceRow, ...]:
    """A row per network on which a participant gave both answers with known sureness, sorted."""
    by_person: defaultdict[str, defaultdict[str, dict[Answer, list[int]]]] = defaultdict(lambda: defaultdict(dict))
    for vote in votes:
        if vote.sureness is not None:
            by_person[vote.network][vote.participant].setdefault(_answer(vote), []).append(vote.sureness)
    rows = []
    for network, people in sorted(by_person.items()):
        both = [own for _, own in sorted(people.items()) if len(own) == 2]
        if both:
            rows.append(_difference(network, [(fmean(own["decided"]), fmean(own["none"])) for own in both]))
    return tuple(rows)


def _answer(vote: PairVote) -> Answer:
    return "none" if vote.choice == "none" else "decided"


def _means(known: Sequence[tuple[PairVote, int]], ends: tuple[float, float]) -> tuple[AnswerMeanRow, ...]:
    found = opinions(
        [(vote.network, _answer(vote)) for vote, _ in known],
        [vote.participant for vote, _ in known],
        [value for _, value in known],
        scale=ends,
    )
    return tuple(
        AnswerMeanRow(*key, n=own.votes, participants=own.n, mean=own.mos, ci_low=own.ci_low, ci_high=own.ci_high)
        for key, own in sorted(found.items(), key=lambda item: item[0])
    )


def _difference(network: str, means: Sequence[tuple[float, float]]) -> SurenessDifferenceRow:
    differences = [decided - none for decided, none in means]
    estimate = fmean(differences)
    low = high = None
    if len(means) > 1:
        sd, n = np.std(differences, ddof=1, keepdims=True), np.array([len(means)])
        half = float(student_half_widths(sd, n)[0])
        low, high = estimate - half, estimate + half
    return SurenessDifferenceRow(
        network=network,
        both=len(means),
        decided_mean=fmean(decided for decided, _ in means),
        none_mean=fmean(none for _, none in means),
        difference=estimate,
        difference_ci_low=low,
        difference_ci_high=high,
    )
