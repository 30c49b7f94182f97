"""Commit of a batch by the worker: checks every take and video, then makes the batch visible or rejects it as a whole.

    begin -> run (... run) -> visible, or dropped with a Refusal

Two workers never commit the same batch, and a commit blocks nothing else. After a kill, the next run continues with
what had not been checked.
"""

import time

from django.db import transaction

from eyelevel_core.batch_folder import ffprobe
from eyelevel_core.batch_rules import check_takes
from eyelevel_core.clip_rules import fault, revealing_names
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.batch import Manifest
from lib.advisory_locks import locked
from lib.problems import Problem
from stimuli import blobs, probes
from stimuli.clips import read_out
from stimuli.models import Batch, BatchState, Blob
from stimuli.signals import commit_begun
from stimuli.uploads import AGAIN, announced, drop, lacking, missing

# number of takes between two records of progress
SAVE_EVERY = 20
# a task ends well before config.settings.TASK_LIMIT_S, which kills it
AT_MOST_S = 300.0


def begin(sha256: str) -> Batch:
    """Request the commit of a batch; a repeated request changes nothing.

    Raises a Problem: that of an earlier rejection, or 409 if files are missing, which rejects the batch.
    """
    batch = announced(sha256)
    if batch.state != BatchState.RECEIVING:
        return watched(sha256)
    if digests := missing(batch):
        problem = lacking(batch, digests)
        if drop(sha256, problem, state=BatchState.RECEIVING):
            raise problem
        return watched(sha256)
    _check_ffprobe(batch)
    if Batch.objects.filter(sha256=sha256, state=BatchState.RECEIVING).update(state=BatchState.COMMITTING):
        transaction.on_commit(lambda: commit_begun.send_robust(sender=Batch, sha256=sha256))
    return watched(sha256)


def watched(sha256: str) -> Batch:
    """The batch, for its sender; raises the Problem that prevents its commit."""
    batch = announced(sha256)
    if batch.state == BatchState.COMMITTING:
        _check_ffprobe(batch)
    return batch


def counts(batch: Batch) -> tuple[int, int]:
    """Number of checked takes and videos of the batch, and their total number."""
    checked, videos = probes.counts(batch)
    return batch.takes_checked + checked, batch.takes_listed + videos


def pending() -> list[str]:
    """Digests of batches whose commit was requested."""
    return list(Batch.objects.filter(state=BatchState.COMMITTING).values_list("sha256", flat=True))


def run(sha256: str) -> bool:
    """Check the batch, unless another worker does, and show or reject it; returns whether to run again immediately."""
    until = time.monotonic() + AT_MOST_S
    with locked(f"commit {sha256}", wait=False) as mine:
        batch = Batch.objects.filter(sha256=sha256, state=BatchState.COMMITTING).first() if mine else None
        if batch is None:
            return False
        described = batch.manifest
        try:
            if not _takes_checked(batch, described, until=until):
                return True
        except ContractError as error:
            drop(sha256, Problem(422, "bad_take", str(error)), state=BatchState.COMMITTING)
            return False
        unprobed = probes.videos(batch).filter(probe__isnull=True)
        probes.probe(unprobed, until=until)
        if unprobed.exists():
            # if time is left, the remaining videos cannot be read now, and beat retries later
            return time.monotonic() >= until
        problem = _video_problem(batch, described) or _show(batch)
        if problem is not None:
            drop(sha256, problem, state=BatchState.COMMITTING)
        return False


def _takes_checked(batch: Batch, described: Manifest, *, until: float) -> bool:
    """Check takes until time runs out; returns whether all are checked. Raises ContractError for an invalid take."""
    checks = check_takes(described, lambda path: blobs.read(described.files[path].sha256), start=batch.takes_checked)
    done, total = batch.takes_checked, len(described.takes)
    for done in checks:
        in_time = time.monotonic() < until
        if done % SAVE_EVERY == 0 or done == total or not in_time:
            Batch.objects.filter(pk=batch.pk).update(takes_checked=done)
        if not in_time:
            break
    return done == total


def _video_problem(batch: Batch, described: Manifest) -> Problem | None:
    names = revealing_names(described)
    probed = probes.by_digest(batch)
    for clip in described.clips:
        wrong = fault(probed[clip.sha256], clip, names=names)
        if wrong is not None:
            return Problem(422, "bad_video", f"{clip.path} is not the declared clip: {wrong}. {AGAIN}")
    return None


def _show(batch: Batch) -> Problem | None:
    """Make the batch visible in one transaction; returns a Problem, and changes nothing, if a blob is missing."""
    with transaction.atomic():
        listed = set(batch.files.values_list("sha256", flat=True))
        # locked, so that none of them is deleted before the batch is visible
        stored = Blob.objects.filter(sha256__in=listed).order_by("sha256").select_for_update(no_key=True)
        if deleted := listed.difference(stored.values_list("sha256", flat=True)):
            return lacking(batch, sorted(deleted))
        read_out(batch)
    return None


def _check_ffprobe(batch: Batch) -> None:
    """Raise Problem 503 if ffprobe is missing, also on behalf of the worker, which has the same installation."""
    if not probes.videos(batch).filter(probe__isnull=True).exists():
        return
    try:
        ffprobe.check_installed()
    except ffprobe.ProbeMissingError as error:
        # not a fault of the batch, which is kept, so that the call can be repeated
        raise Problem(503, "ffprobe_missing", f"On the server, {error}", retry=True) from None
