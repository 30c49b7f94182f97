"""Additional clips as rows without files: further runs, identical pairs (A/A) and control clips."""

import hashlib

from django.db.models import QuerySet

from stimuli.models import Batch, Clip, ClipPurpose, Take


def another_run(batch: Batch, run: int) -> None:
    """Copy every take and every clip of the batch's run 1 as another run."""
    takes = {take.pk: _copy_take(take, run) for take in Take.objects.filter(batch=batch, run=1)}
    for clip in _study_clips(batch):
        right = clip.right_take_id
        _copy(
            clip,
            f"run {run}",
            run=run,
            role="q25",
            take=takes[clip.take_id],
            right_take=None if right is None else takes[right],
        )


def identical_pairs(batch: Batch) -> None:
    """Add a pair of each take of run 1 with itself."""
    for clip in _study_clips(batch).filter(kind="pair"):
        # each stack is on the left once
        _copy(clip, "twice", right_take=clip.take, purpose=ClipPurpose.IDENTICAL)


def control_clips(batch: Batch) -> None:
    """Add a delayed copy of each single clip."""
    for clip in _study_clips(batch).filter(kind="single"):
        _copy(clip, "late", purpose=ClipPurpose.CONTROL, delays_ms=[6000.0])


def _study_clips(batch: Batch) -> QuerySet[Clip]:
    return Clip.objects.filter(batch=batch, run=1, purpose=ClipPurpose.STUDY).order_by("pk")


def _copy_take(take: Take, run: int) -> Take:
    digest = _digest(f"{take.digest} {run}")
    copied = Take.objects.get(pk=take.pk)
    copied.pk, copied.digest, copied.run = None, digest, run
    copied.save(force_insert=True)
    return copied


def _copy(clip: Clip, what: str, **changes: object) -> None:
    copied = Clip.objects.get(pk=clip.pk)
    copied.pk, copied.sha256 = None, _digest(f"{clip.sha256} {what}")
    for name, value in changes.items():
        setattr(copied, name, value)
    copied.save(force_insert=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
