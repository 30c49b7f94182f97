"""What the statistics of a study are computed from: votes, and the metrics of the clips that were shown."""

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


class ClipMetrics(NamedTuple):
    """The metrics of the take that a clip shows (see eyelevel_core.model.metrics); None where unknown."""

    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None
    plt_ms: float | None
    fvc_plain_ms: float | None = None
    si_plain_ms: float | None = None
    vc85_plain_ms: float | None = None
    lvc_plain_ms: float | None = None
    fcp_ms: float | None = None
    lcp_ms: float | None = None
    cls: float | None = None
    cls_sum: float | None = None
    tbt_ms: float | None = None
    tti_ms: float | None = None
    dcl_ms: float | None = None
    ttfb_ms: float | None = None
