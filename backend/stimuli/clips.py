"""Creates rows of takes and clips from a batch's manifest."""

from typing import Any

from django.utils import timezone

from stimuli.manifest import for_participants
from stimuli.models import Batch, BatchState, Clip, ClipPurpose, Take


def read_out(batch: Batch) -> None:
    """Inside a transaction: write the takes and the clips for participants, and show the batch.

    Clips for researchers stay files of the batch: what has no row can be no stimulus, nor reach a participant.
    """
    described = batch.manifest
    takes = Take.objects.bulk_create(
        Take(
            batch=batch,
            **{key: take[key] for key in ("digest", "path", "site", "network", "stack", "run", "outcome")},
            **take["metrics"],
        )
        for take in described["takes"]
    )
    by_digest = {take.digest: take for take in takes}
    Clip.objects.bulk_create(_clip(batch, clip, described["files"], by_digest) for clip in for_participants(described))
    batch.state = BatchState.VISIBLE
    batch.received_at = timezone.now()
    batch.save(update_fields=["state", "received_at"])


def _clip(batch: Batch, clip: dict[str, Any], files: dict[str, Any], takes: dict[str, Take]) -> Clip:
    same = ("sha256", "kind", "site", "network", "run", "width_px", "height_px", "duration_ms", "frame_rate")
    return Clip(
        batch=batch,
        **{key: clip[key] for key in same},
        purpose=clip.get("purpose", ClipPurpose.STUDY),
        role=clip.get("role"),
        start_ms=clip.get("start_ms", 0),
        delays_ms=clip.get("delays_ms", []),
        bytes=files[clip["path"]]["bytes"],
        take=takes[clip["takes"][0]],
        right_take=takes[clip["takes"][1]] if len(clip["takes"]) > 1 else None,
    )
