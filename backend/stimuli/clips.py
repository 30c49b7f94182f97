"""Creates rows of takes and clips from a batch's manifest."""

from collections.abc import Mapping

from django.utils import timezone

from eyelevel_core.batch_rules import for_participants
from eyelevel_core.model.batch import Clip as Described
from eyelevel_core.model.take import FileEntry
from stimuli.models import Batch, BatchState, Clip, Take


def read_out(batch: Batch) -> None:
    """Create takes and clips for participants, and make the batch visible; call it inside a transaction.

    Clips for researchers remain files of the batch without a row, so that they can never be shown to a participant.
    """
    described = batch.manifest
    takes = Take.objects.bulk_create(
        Take(
            batch=batch,
            digest=take.digest,
            path=take.path,
            site=take.site,
            network=take.network,
            stack=take.stack,
            run=take.run,
            outcome=take.outcome,
            metrics=take.metrics,
        )
        for take in described.takes
    )
    by_digest = {take.digest: take for take in takes}
    devices = {site.name: site.device for site in described.sites}
    Clip.objects.bulk_create(
        _clip(batch, clip, described.files, by_digest, devices[clip.site]) for clip in for_participants(described)
    )
    batch.state = BatchState.VISIBLE
    batch.received_at = timezone.now()
    batch.save(update_fields=["state", "received_at"])


def _clip(
    batch: Batch, clip: Described, files: Mapping[str, FileEntry], takes: Mapping[str, Take], device: str
) -> Clip:
    return Clip(
        batch=batch,
        sha256=clip.sha256,
        kind=clip.kind,
        site=clip.site,
        network=clip.network,
        run=clip.run,
        device=device,
        width_px=clip.own_size.width_px,
        height_px=clip.own_size.height_px,
        duration_ms=clip.duration_ms,
        frame_rate=clip.frame_rate,
        purpose=clip.purpose,
        role=clip.role,
        start_ms=clip.start_ms or 0,
        delays_ms=list(clip.delays_ms or ()),
        cut=clip.cut,
        moving=clip.moving,
        metrics=[dict(side) for side in clip.metrics or ()],
        bytes=files[clip.path].bytes,
        take=takes[clip.takes[0]],
        right_take=takes[clip.takes[1]] if len(clip.takes) > 1 else None,
    )
