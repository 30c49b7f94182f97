"""Sureness and replays by network and answer.

Means are over participants, of whom each counts once, with Student's t (see `eyelevel_stats.opinion`). Answers left and
right together are `decided`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

import numpy as np

from eyelevel_stats.intervals import student_half_widths
from eyelevel_stats.opinion import opinions
from eyelevel_stats.pairs.observations import Choice, PairVote
from eyelevel_stats.rows.comparisons import Answer, AnswerMeanRow, SurenessDifferenceRow, SurenessRow

# from not sure at all to very sure
SCALE = (1, 5)


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
        both = [answers for _, answers in sorted(people.items()) if len(answers) == 2]
        if both:
            rows.append(_difference(network, [(fmean(answers["decided"]), fmean(answers["none"])) for answers in both]))
    return tuple(rows)


def _answer(vote: PairVote) -> Answer:
    return "none" if vote.choice == "none" else "decided"


def _means(known: Sequence[tuple[PairVote, int]], ends: tuple[float, float]) -> tuple[AnswerMeanRow, ...]:
    opinion_of = opinions(
        [(vote.network, _answer(vote)) for vote, _ in known],
        [vote.participant for vote, _ in known],
        [value for _, value in known],
        scale=ends,
    )
    return tuple(
        AnswerMeanRow(
            *key,
            n=opinion.votes,
            participants=opinion.n,
            mean=opinion.mos,
            ci_low=opinion.ci_low,
            ci_high=opinion.ci_high,
        )
        for key, opinion in sorted(opinion_of.items(), key=lambda item: item[0])
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
