"""Response bodies of the batches API."""

from datetime import datetime

from ninja import Schema

from eyelevel_core.model.metrics import Group, MetricValues
from stimuli.models import BatchState, ClipKind, ClipPurpose


class BatchFacts(Schema):
    sha256: str
    campaign: str
    state: BatchState
    # before the batch is visible, the time at which its manifest arrived
    received_at: datetime
    sites: list[str]
    networks: list[str]
    stacks: list[str]
    takes: int
    bytes: int


class BatchSummary(BatchFacts):
    clips: int


class MetricOut(Schema):
    """A metric, whose values are in results and clips as `field`. The list has the order of tables and figures."""

    key: str
    field: str
    label: str
    name: str
    name_de: str
    definition: str
    # empty for a plain number
    unit: str
    group: Group
    visual: bool
    # for a plain metric, the metric that it is without a motion mask
    plain_of: str | None


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
    # whether it ended before one of its takes had settled; null if unknown
    cut: bool | None
    # whether a page has motion that never ends; null if unknown
    moving: bool | None
    # null if unknown, or not final because the page did not settle
    metrics: list[MetricValues]
    # visual metrics on the clip's frames; null if unknown or cut off, empty if not in the batch
    clip_metrics: list[MetricValues]


class BatchDetail(BatchFacts):
    # names of the studies that use it, which prevent its deletion
    studies: list[str]
    clips: list[ClipRow]


class Deletion(Schema):
    """`confirm` is the name of the batch's campaign."""

    confirm: str


class Receipt(Schema):
    """State of an upload, digests that have not arrived yet, and numbers of checked and all takes and videos."""

    sha256: str
    state: BatchState
    missing: list[str]
    checks_done: int
    checks_total: int
    received_at: datetime
