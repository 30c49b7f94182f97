"""Batches as the API shows them to people with an account."""

from datetime import datetime

from django.db.models import Sum
from ninja import Schema

from stimuli.manifest import for_participants
from stimuli.models import Batch, BatchState, Clip, ClipKind, ClipPurpose


class BatchFacts(Schema):
    sha256: str
    campaign: str
    state: BatchState
    # until it is visible, when its manifest came
    received_at: datetime
    sites: list[str]
    networks: list[str]
    stacks: list[str]
    takes: int
    bytes: int


class BatchSummary(BatchFacts):
    clips: int


class Metrics(Schema):
    """Milliseconds since navigation start; null where unknown."""

    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None
    plt_ms: float | None


class ClipRow(Schema):
    sha256: str
    kind: ClipKind
    site: str
    network: str
    # for a pair left, then right; metrics in the same order
    stacks: list[str]
    run: int
    purpose: ClipPurpose
    # of a control clip: by how much each side is held back; else empty
    delays_ms: list[float]
    duration_ms: float
    width_px: int
    height_px: int
    metrics: list[Metrics]


class BatchDetail(BatchFacts):
    clips: list[ClipRow]


def summary(batch: Batch) -> BatchSummary:
    return BatchSummary(**_facts(batch).dict(), clips=len(for_participants(batch.manifest)))


def detail(batch: Batch) -> BatchDetail:
    clips = batch.clips.select_related("take", "right_take").order_by("site", "network", "kind", "run", "sha256")
    return BatchDetail(**_facts(batch).dict(), clips=[_row(clip) for clip in clips])


def _facts(batch: Batch) -> BatchFacts:
    described = batch.manifest
    names = {key: [item["name"] for item in described[key]] for key in ("sites", "networks", "stacks")}
    return BatchFacts(
        sha256=batch.sha256,
        campaign=batch.campaign,
        state=BatchState(batch.state),
        received_at=batch.received_at or batch.created_at,
        **names,
        takes=len(described["takes"]),
        bytes=batch.files.aggregate(sum=Sum("bytes"))["sum"] or 0,
    )


def _row(clip: Clip) -> ClipRow:
    same = ("sha256", "kind", "site", "network", "stacks", "run", "purpose", "delays_ms")
    video = ("duration_ms", "width_px", "height_px")
    own = {key: getattr(clip, key) for key in (*same, *video)}
    return ClipRow(**own, metrics=[Metrics(**take.metrics) for take in clip.takes])
