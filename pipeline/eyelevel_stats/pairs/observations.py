"""The votes about pairs that the statistics of comparisons take."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeVar

Choice = Literal["left", "right", "none"]
V = TypeVar("V", bound=tuple[object, ...])


class PairVote(NamedTuple):
    """One main vote of a `compare` trial about two stacks; `choice` is what loaded faster.

    Speed Indexes are those of the two takes shown, in ms; sureness is 1 to 5; `replays` counts plays after the first.
    None where unknown.
    """

    participant: str
    site: str
    network: str
    left_stack: str
    right_stack: str
    choice: Choice
    left_si_ms: float | None = None
    right_si_ms: float | None = None
    sureness: int | None = None
    replays: int | None = None


class SameVote(NamedTuple):
    """One vote about a pair that shows one stack twice.

    `one_take` where both sides show the same take (one digest), so that nothing differs; False where they show two
    runs of the stack, None where unknown.
    """

    participant: str
    network: str
    stack: str
    choice: Choice
    one_take: bool | None


def in_order(votes: Iterable[V]) -> list[V]:
    """The votes sorted by all their fields, so that the same votes give the same floats."""
    return sorted(votes, key=lambda vote: tuple("" if value is None else str(value) for value in vote))
