"""Has ffprobe decode the videos of arriving batches. Only the worker does: no web thread waits for ffprobe."""

import logging
import time
from typing import Any

from django.db.models import QuerySet

from eyelevel_core.batch_folder import ffprobe
from stimuli import blobs
from stimuli.models import Batch, BatchFile, BatchState, Blob

log = logging.getLogger(__name__)
# the manifest's check sees to it that every clip is called so
VIDEO = ".mp4"
# one task must end in time; other messages, or beat's, take what is left
AT_MOST_S = 60.0


def is_video(path: str) -> bool:
    return path.endswith(VIDEO)


def videos(batch: Batch) -> QuerySet[Blob]:
    """Those that have arrived."""
    return Blob.objects.filter(sha256__in=batch.files.filter(path__endswith=VIDEO).values("sha256"))


def found(batch: Batch) -> dict[str, dict[str, Any]]:
    """What ffprobe said of each video, by digest."""
    return {blob.sha256: blob.probe for blob in videos(batch) if blob.probe is not None}


def counts(batch: Batch) -> tuple[int, int]:
    """How many videos of the batch have been probed, and how many it lists."""
    listed = batch.files.filter(path__endswith=VIDEO).values("sha256").distinct().count()
    return videos(batch).filter(probe__isnull=False).count(), listed


def probe_waiting() -> None:
    """Probe what nobody has probed yet."""
    listed = BatchFile.objects.exclude(batch__state=BatchState.VISIBLE).filter(path__endswith=VIDEO)
    probe(
        Blob.objects.filter(probe__isnull=True, sha256__in=listed.values("sha256")), until=time.monotonic() + AT_MOST_S
    )


def probe(waiting: QuerySet[Blob], *, until: float) -> None:
    """Probe these videos until that monotonic time, in any order: two workers rarely take the same one at once."""
    for sha256 in list(waiting.order_by("?").values_list("sha256", flat=True)):
        try:
            _probe(sha256)
        except ffprobe.ProbeMissingError:
            raise
        except Exception:
            # one that cannot be read must not keep the others waiting
            log.exception("The video %s could not be probed", sha256)
        if time.monotonic() >= until:
            break


def _probe(sha256: str) -> None:
    waiting = Blob.objects.filter(sha256=sha256, probe__isnull=True)
    blob = waiting.first()
    if blob is None:
        return
    with blobs.on_disk(sha256) as path:
        found = ffprobe.probe(path)
    # not of a blob that was dropped meanwhile and sent again: its file may have been gone under ffprobe
    waiting.filter(stored_at=blob.stored_at).update(probe=found)
