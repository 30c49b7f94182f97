"""Batches with their clips, as the API returns them."""

from django.db.models import Sum

from eyelevel_core.batch_rules import for_participants
from eyelevel_core.model.censoring import final
from stimuli.models import Batch, BatchState, Clip
from stimuli.schemas import BatchDetail, BatchFacts, BatchSummary, ClipRow


def summary(batch: Batch) -> BatchSummary:
    return BatchSummary(**_facts(batch).dict(), clips=len(for_participants(batch.manifest)))


def detail(batch: Batch) -> BatchDetail:
    clips = batch.clips.select_related("take", "right_take").order_by("site", "network", "kind", "run", "sha256")
    studies = sorted(batch.studies.values_list("name", flat=True))
    return BatchDetail(**_facts(batch).dict(), studies=studies, clips=[_row(clip) for clip in clips])


def _facts(batch: Batch) -> BatchFacts:
    described = batch.manifest
    return BatchFacts(
        sha256=batch.sha256,
        campaign=batch.campaign,
        state=BatchState(batch.state),
        received_at=batch.received_at or batch.created_at,
        sites=[site.name for site in described.sites],
        networks=[network.name for network in described.networks],
        stacks=[stack.name for stack in described.stacks],
        takes=len(described.takes),
        bytes=batch.files.aggregate(sum=Sum("bytes"))["sum"] or 0,
    )


def _row(clip: Clip) -> ClipRow:
    same = ("sha256", "kind", "site", "network", "stacks", "run", "purpose", "delays_ms")
    video = ("duration_ms", "width_px", "height_px", "cut", "moving")
    values = {key: getattr(clip, key) for key in (*same, *video)}
    return ClipRow(
        **values,
        metrics=[final(take.metrics, settled=take.outcome == "settled") for take in clip.takes],
        clip_metrics=clip.metrics,
    )
