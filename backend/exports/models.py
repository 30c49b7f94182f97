"""Export jobs, and the log of exports that could be downloaded, from which erasures list them."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from analysis.models import ResultOrigin
from eyelevel_core.contracts import short
from lib.queued_jobs import QueuedJob
from ratings.models import Added
from studies.models import Study


class ExportState(models.TextChoices):
    """State of an export."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    # it was done, and its file has been deleted
    EXPIRED = "expired"


class Step(models.TextChoices):
    """Step of a running export."""

    # reads the votes
    TABLES = "tables"
    # has packed `done` rows of `of`, excluded ones included
    PACKING = "packing"


class Reason(models.TextChoices):
    """Reason why an export failed or has no file; pages have a sentence for each in their language."""

    FULL = "full"
    STORE = "store"
    DAMAGED = "damaged"
    REPLACED = "replaced"
    ERASED = "erased"
    KILLED = "killed"
    TOO_LONG = "too_long"
    ERROR = "error"
    OVER = "over"
    MISSING = "missing"


class ExportJob(QueuedJob):
    """A requested export; changed only by `exports.jobs` and `exports.erasure`.

    It names its snapshot by digest, because an erasure may delete the snapshot. Its file is in the store under
    `file_sha256`; jobs whose files have the same bytes share one file.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="export_jobs")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    snapshot_sha256 = models.CharField(max_length=64, db_index=True)
    origin = models.CharField(max_length=8, choices=ResultOrigin)
    votes = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=ExportState, default=ExportState.QUEUED)
    step = models.CharField(max_length=8, choices=Step, default="", blank=True)
    done = models.PositiveBigIntegerField(default=0)
    of = models.PositiveBigIntegerField(null=True, blank=True)
    # when this step began
    step_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=8, choices=Reason, default="", blank=True)
    # the reason as a sentence; for a queued job, the reason of the last attempt's failure
    message = models.TextField(default="", blank=True)
    file_sha256 = models.CharField(max_length=64, default="", blank=True, db_index=True)
    size_bytes = models.PositiveBigIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-asked_at"]

    def __str__(self) -> str:
        return f"{short(self.snapshot_sha256)} {self.state}"

    @property
    def file_name(self) -> str:
        """The name under which a browser stores the file."""
        suffix = "" if self.origin == ResultOrigin.PERSON else f"-{self.origin}"
        return f"eyelevel-{self.study.name}-{short(self.snapshot_sha256)}{suffix}.zip"


class Export(Added):
    """Log entry of an export that could be downloaded, added in the transaction that makes its file available.

    It names its snapshot by digest, because an erasure may delete the snapshot. It is kept after the job and its file.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="exports")
    snapshot_sha256 = models.CharField(max_length=64)
    votes = models.PositiveIntegerField()
    sessions = models.PositiveIntegerField()
    # sessions whose answers it contains
    session_ids = ArrayField(models.UUIDField())
    exported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    exported_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-exported_at"]

    def __str__(self) -> str:
        return f"{short(self.snapshot_sha256)} {self.exported_at:%F %T}"
