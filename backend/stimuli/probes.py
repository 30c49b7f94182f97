"""Probes the videos of uploaded batches with ffprobe, only in the worker, so that no web thread waits for it."""

import logging
import time
from typing import Any

from django.db.models import QuerySet

from eyelevel_core.batch_folder import ffprobe
from stimuli import blobs
from stimuli.models import Batch, BatchFile, BatchState, Blob

log = logging.getLogger(__name__)
# file name extension of every clip, which the manifest's check ensures
VIDEO = ".mp4"
# time limit of a task; later messages, or those of beat, probe the remaining videos
AT_MOST_S = 60.0


def is_video(path: str) -> bool:
    return path.endswith(VIDEO)


def videos(batch: Batch) -> QuerySet[Blob]:
    """The videos of the batch that have arrived."""
    return Blob.objects.filter(sha256__in=batch.files.filter(path__endswith=VIDEO).values("sha256"))


def by_digest(batch: Batch) -> dict[str, dict[str, Any]]:
    """Output of ffprobe for each probed video, by digest."""
    return {blob.sha256: blob.probe for blob in videos(batch) if blob.probe is not None}


def counts(batch: Batch) -> tuple[int, int]:
    """Number of probed videos of the batch, and their total number."""
    listed = batch.files.filter(path__endswith=VIDEO).values("sha256").distinct().count()
    return videos(batch).filter(probe__isnull=False).count(), listed


def probe_waiting() -> None:
    """Probe videos that have not been probed yet."""
    listed = BatchFile.objects.exclude(batch__state=BatchState.VISIBLE).filter(path__endswith=VIDEO)
    probe(
        Blob.objects.filter(probe__isnull=True, sha256__in=listed.values("sha256")), until=time.monotonic() + AT_MOST_S
    )


def probe(waiting: QuerySet[Blob], *, until: float) -> None:
    """Probe these videos until that monotonic time, in random order, so that workers rarely take the same one."""
    for sha256 in list(waiting.order_by("?").values_list("sha256", flat=True)):
        try:
            _probe(sha256)
        except ffprobe.ProbeMissingError:
            raise
        except Exception:
            # a video that cannot be read must not delay the others
            log.exception("The video %s could not be probed", sha256)
        if time.monotonic() >= until:
            break


def _probe(sha256: str) -> None:
    waiting = Blob.objects.filter(sha256=sha256, probe__isnull=True)
    blob = waiting.first()
    if blob is None:
        return
    with blobs.on_disk(sha256) as path:
        output = ffprobe.probe(path)
    # not for a blob that was deleted and sent again meanwhile, because its file may have been missing during the probe
    waiting.filter(stored_at=blob.stored_at).update(probe=output)
