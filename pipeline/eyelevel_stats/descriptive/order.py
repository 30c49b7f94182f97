"""Order effects of ratings: the position in the session, and the clip before (contrast)."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from eyelevel_stats.descriptive.clustered import Estimate, slope_within
from eyelevel_stats.rows.trust import OrderRow

POSITION, PREVIOUS = "position", "previous clip"


class OrderedVote(NamedTuple):
    """One rating with its place in the session's plan, from 1; places of one participant differ."""

    participant: str
    position: int
    clip_sha256: str
    context: str
    score: float


def order_rows(votes: Sequence[OrderedVote]) -> tuple[OrderRow, ...]:
    """Computes the effect of the position, then that of the previous clip; no rows without votes.

    The previous clip is that of the participant's previous rating, by position; trials of other kinds may lie between.
    Its MOS excludes the participant's votes, so clips that nobody else rated have none, and the vote after them is not
    counted. Votes are compared within the same clip and context, because clips seen late differ from those seen early.
    """
    if not votes:
        return ()
    ordered = sorted(votes)
    before = _mos_before(ordered)
    after = [(vote, mos) for vote, mos in zip(ordered, before, strict=True) if mos is not None]
    return (
        _row(POSITION, ordered, [float(vote.position) for vote in ordered]),
        _row(PREVIOUS, [vote for vote, _ in after], [mos for _, mos in after]),
    )


def _mos_before(votes: Sequence[OrderedVote]) -> list[float | None]:
    """Returns for each vote the others' MOS of the previous clip; votes are sorted by participant and position.

    Several votes of one participant on one clip are averaged first.
    """
    scores_of: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for vote in votes:
        scores_of[vote.clip_sha256, vote.participant].append(vote.score)
    mean = {key: sum(scores) / len(scores) for key, scores in scores_of.items()}
    total: defaultdict[str, float] = defaultdict(float)
    people: defaultdict[str, int] = defaultdict(int)
    for (clip, _), score in mean.items():
        total[clip] += score
        people[clip] += 1
    means_before: list[float | None] = [None]
    for last, vote in pairwise(votes):
        clip = last.clip_sha256
        known = last.participant == vote.participant and people[clip] > 1
        means_before.append((total[clip] - mean[clip, last.participant]) / (people[clip] - 1) if known else None)
    return means_before


def _row(effect: str, votes: Sequence[OrderedVote], x: Sequence[float]) -> OrderRow:
    people = [vote.participant for vote in votes]
    cells = [(vote.clip_sha256, vote.context) for vote in votes]
    slope: Estimate | None = slope_within(people, cells, np.array(x), np.array([vote.score for vote in votes]))
    return OrderRow(
        effect=effect,
        participants=len(set(people)),
        votes=len(votes),
        slope=None if slope is None else slope.value,
        ci_low=None if slope is None else slope.ci_low,
        ci_high=None if slope is None else slope.ci_high,
        p_value=None if slope is None else slope.p_value,
    )
