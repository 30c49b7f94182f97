"""Input of a study's statistics: votes, besides the metrics of the shown clips."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple


class Rating(NamedTuple):
    """One vote of a `rate` trial; `score` from 1 (extremely bad) to 7 (ideal)."""

    participant: str
    site: str
    network: str
    stack: str
    context: str
    clip_sha256: str
    score: float


class Ratings:
    """Votes of `rate` trials by column, in the order of Rating's fields: a million tuples are slow and large."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self.columns = columns

    @classmethod
    def of(cls, votes: Iterable[Rating]) -> "Ratings":
        return cls([*zip(*votes, strict=True)] or [()] * len(Rating._fields))

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[Rating]:
        return map(Rating._make, zip(*self.columns, strict=True))


class Comparison(NamedTuple):
    """One vote of a `compare` trial; `choice` is what loaded faster."""

    participant: str
    site: str
    network: str
    left_stack: str
    right_stack: str
    context: str
    choice: Literal["left", "right", "none"]
