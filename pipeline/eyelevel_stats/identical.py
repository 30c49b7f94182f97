"""A/A pairs (the same stack twice): how often participants report a difference where there is none."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from eyelevel_stats.intervals import wilson
from eyelevel_stats.rows.study import IdenticalAnswers, IdenticalRow

Choice = Literal["left", "right", "none"]


class IdenticalVote(NamedTuple):
    """One vote about an identical pair; `choice` is what the participant took for faster."""

    participant: str
    network: str
    stack: str
    choice: Choice


def identical_rows(votes: Iterable[IdenticalVote]) -> tuple[IdenticalRow, ...]:
    """A row per network and stack, in their order."""
    groups: defaultdict[tuple[str, str], list[IdenticalVote]] = defaultdict(list)
    for vote in votes:
        groups[vote.network, vote.stack].append(vote)
    return tuple(
        IdenticalRow(*key, **vars(found))
        for key, own in sorted(groups.items())
        if (found := identical_answers(own)) is not None
    )


def identical_answers(votes: Sequence[IdenticalVote]) -> IdenticalAnswers | None:
    """All answers together; None without any.

    The Wilson interval counts people, as in `preferences`: one participant's answers are not independent.
    """
    participants = len({vote.participant for vote in votes})
    count = Counter(vote.choice for vote in votes)
    share = (count["left"] + count["right"]) / max(len(votes), 1)
    interval = wilson(share, participants)
    if interval is None:
        return None
    return IdenticalAnswers(
        n=len(votes),
        participants=participants,
        chose_left=count["left"],
        chose_right=count["right"],
        no_difference=count["none"],
        share_different=share,
        ci_low=interval.low,
        ci_high=interval.high,
    )
