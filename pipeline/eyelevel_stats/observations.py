"""What the statistics of a study are computed from: votes, beside the metrics of the clips that were shown."""

from typing import Literal, NamedTuple


class Rating(NamedTuple):
    """One vote of a `rate` trial; `score` from 1 (extremely bad) to 7 (ideal)."""

    participant: str
    site: str
    network: str
    stack: str
    context: str
    clip_sha256: str
    score: float


class Comparison(NamedTuple):
    """One vote of a `compare` trial; `choice` is what loaded faster."""

    participant: str
    site: str
    network: str
    left_stack: str
    right_stack: str
    context: str
    choice: Literal["left", "right", "none"]
