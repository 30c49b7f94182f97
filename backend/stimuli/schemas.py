"""Response bodies of the batches API."""

from datetime import datetime

from ninja import Schema

from stimuli.models import BatchState, ClipKind, ClipPurpose


class BatchFacts(Schema):
    sha256: str
    campaign: str
    state: BatchState
    # before the batch is visible: when its manifest arrived
    received_at: datetime
    sites: list[str]
    networks: list[str]
    stacks: list[str]
    takes: int
    bytes: int


class BatchSummary(BatchFacts):
    clips: int


class Metrics(Schema):
    """The metrics of a take; null where unknown."""

    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None
    plt_ms: float | None
    fvc_plain_ms: float | None
    si_plain_ms: float | None
    vc85_plain_ms: float | None
    lvc_plain_ms: float | None
    fcp_ms: float | None
    lcp_ms: float | None
    cls: float | None
    cls_sum: float | None
    tbt_ms: float | None
    tti_ms: float | None
    dcl_ms: float | None
    ttfb_ms: float | None


class ClipMetrics(Schema):
    """The visual metrics of a take on the frames of a clip."""

    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None


class ClipRow(Schema):
    sha256: str
    kind: ClipKind
    site: str
    network: str
    # of a pair: left, then right; metrics are in the same order
    stacks: list[str]
    run: int
    purpose: ClipPurpose
    # delay of each side of a control clip; empty for other clips
    delays_ms: list[float]
    duration_ms: float
    width_px: int
    height_px: int
    # it ended before one of its takes had settled; null where unknown
    cut: bool | None
    # whether a page has motion that never ends; null where unknown
    moving: bool | None
    # null where unknown, or not final as the page did not settle
    metrics: list[Metrics]
    # the visual ones on the clip's frames; null where unknown or cut off, empty where the batch does not say
    clip_metrics: list[ClipMetrics]


class BatchDetail(BatchFacts):
    clips: list[ClipRow]


class Receipt(Schema):
    """State of an upload, the digests that have not arrived yet, and how many videos have been checked."""

    sha256: str
    state: BatchState
    missing: list[str]
    videos: int
    videos_checked: int
    received_at: datetime
