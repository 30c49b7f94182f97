"""A/A pairs (the same stack twice): how often participants report a difference where there is none."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from eyelevel_stats.intervals import wilson
from eyelevel_stats.rows.study import IdenticalAnswers, IdenticalRow

Choice = Literal["left", "right", "none"]


class IdenticalVote(NamedTuple):
    """One vote about an identical pair; `choice` is the side that the participant chose as faster."""

    participant: str
    network: str
    stack: str
    choice: Choice


def identical_rows(votes: Iterable[IdenticalVote]) -> tuple[IdenticalRow, ...]:
    """Computes a row per network and stack, in their order."""
    groups: defaultdict[tuple[str, str], list[IdenticalVote]] = defaultdict(list)
    for vote in votes:
        groups[vote.network, vote.stack].append(vote)
    return tuple(
        IdenticalRow(*key, **vars(answers))
        for key, group in sorted(groups.items())
        if (answers := identical_answers(group)) is not None
    )


def identical_answers(votes: Sequence[IdenticalVote]) -> IdenticalAnswers | None:
    """Computes the results of all answers together; None without any."""
    participants = len({vote.participant for vote in votes})
    count = Counter(vote.choice for vote in votes)
    return answers_of(left=count["left"], right=count["right"], none=count["none"], participants=participants)


def answers_of(*, left: int, right: int, none: int, participants: int) -> IdenticalAnswers | None:
    """Computes the same from counts of answers and of participants.

    The Wilson interval counts people, as in `preferences`: one participant's answers are not independent.
    """
    n = left + right + none
    share = (left + right) / max(n, 1)
    interval = wilson(share, participants)
    if interval is None:
        return None
    return IdenticalAnswers(
        n=n,
        participants=participants,
        chose_left=left,
        chose_right=right,
        no_difference=none,
        share_different=share,
        ci_low=interval.low,
        ci_high=interval.high,
    )
