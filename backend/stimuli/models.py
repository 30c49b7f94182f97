"""Batches with their files, blobs, takes and clips."""

import json
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from audit.log import Subject
from audit.models import Kind
from eyelevel_core.contracts import short
from eyelevel_core.model.batch import Manifest
from eyelevel_core.model.device import DESKTOP
from stimuli.fields import MetricsField


class Blob(models.Model):
    """A file stored under its digest; batches that list the same digest share it."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    bytes = models.BigIntegerField()
    # output of ffprobe for a video; null for other files, and until the worker has probed it
    probe = models.JSONField(null=True, blank=True)
    stored_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return short(self.sha256)


class BatchState(models.TextChoices):
    RECEIVING = "receiving"
    # all files have arrived, and the worker checks them
    COMMITTING = "committing"
    VISIBLE = "visible"


class Batch(models.Model):
    """A batch of takes and clips, identified by the SHA-256 of its manifest; studies can use it once it is visible."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    state = models.CharField(max_length=16, choices=BatchState, default=BatchState.RECEIVING)
    campaign = models.CharField(max_length=64, db_index=True)
    # the exact bytes of the manifest, so that its digest can always be checked
    manifest_text = models.TextField()
    # number of takes in the manifest, and number of these, in its order, that the commit has checked
    takes_listed = models.PositiveIntegerField(default=0)
    takes_checked = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    # when it became visible
    received_at = models.DateTimeField(null=True, blank=True)
    received_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    def __str__(self) -> str:
        return f"{self.campaign} {short(self.sha256)}"

    def audit_subject(self) -> Subject:
        return Subject(Kind.BATCH, str(self))

    @property
    def manifest(self) -> Manifest:
        return Manifest.of(json.loads(self.manifest_text))


class Refusal(models.Model):
    """The Problem with which a batch was rejected and deleted, kept for senders who have not received the response."""

    # digest of the manifest's bytes, like that of a batch
    sha256 = models.CharField(max_length=64, primary_key=True)
    status = models.PositiveIntegerField()
    code = models.CharField(max_length=32)
    message = models.TextField()
    details = models.JSONField(default=dict)
    refused_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{short(self.sha256)} {self.code}"


class BatchFile(models.Model):
    """A path of the manifest and the digest it names; the blob may not have arrived yet."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64, db_index=True)
    bytes = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["batch", "path"], name="one_file_per_path")]

    def __str__(self) -> str:
        return self.path


class Take(models.Model):
    """One valid attempt at a run, with its metrics."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="takes")
    digest = models.CharField(max_length=64)
    path = models.CharField(max_length=300)
    site = models.CharField(max_length=64)
    network = models.CharField(max_length=64)
    stack = models.CharField(max_length=64)
    run = models.PositiveIntegerField()
    outcome = models.CharField(max_length=16)
    metrics = MetricsField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["batch", "digest"], name="one_take_per_digest")]

    def __str__(self) -> str:
        return f"{self.site} {self.network} {self.stack} {self.run}"


class ClipKind(models.TextChoices):
    SINGLE = "single"
    PAIR = "pair"


class ClipPurpose(models.TextChoices):
    STUDY = "study"
    # the same take twice, or two runs of one stack
    IDENTICAL = "identical"
    # delayed on purpose, so that the right answer is known
    CONTROL = "control"


class Clip(models.Model):
    """The video that people see, made from one take, or from two: `take` left and `right_take` right."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="clips")
    sha256 = models.CharField(max_length=64, db_index=True)
    kind = models.CharField(max_length=8, choices=ClipKind)
    site = models.CharField(max_length=64)
    network = models.CharField(max_length=64)
    run = models.PositiveIntegerField()
    take = models.ForeignKey(Take, on_delete=models.CASCADE, related_name="+")
    right_take = models.ForeignKey(Take, null=True, on_delete=models.CASCADE, related_name="+")
    bytes = models.BigIntegerField()
    device = models.CharField(max_length=64, default=DESKTOP.name)
    # size in CSS pixels of the page; a phone's video has more pixels
    width_px = models.PositiveIntegerField()
    height_px = models.PositiveIntegerField()
    duration_ms = models.FloatField()
    frame_rate = models.FloatField()
    purpose = models.CharField(max_length=16, choices=ClipPurpose, default=ClipPurpose.STUDY)
    # why this run is shown, e.g. "medoid" or "q25"; null in batches that do not say
    role = models.CharField(max_length=8, null=True, blank=True)
    # length of the lead-in before navigation starts
    start_ms = models.FloatField(default=0)
    # additional delay of each side, left then right; empty if there is none
    delays_ms = ArrayField(models.FloatField(), default=list, blank=True)
    # whether the cap ended it before one of its takes had settled; null if unknown
    cut = models.BooleanField(null=True)
    # whether a page has motion that never ends; null if unknown
    moving = models.BooleanField(null=True)
    # metrics of each take on the clip's frames, left then right, null if unknown or cut off; empty if not in the batch
    metrics = models.JSONField(default=list, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "sha256"], name="one_clip_per_digest"),
            models.CheckConstraint(
                condition=models.Q(kind="single", right_take=None) | models.Q(kind="pair", right_take__isnull=False),
                name="clip_has_takes_of_its_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.site} {self.network} {'/'.join(self.stacks)} {self.run}"

    @property
    def takes(self) -> list[Take]:
        """Left, then right for a pair."""
        return [self.take] if self.right_take is None else [self.take, self.right_take]

    @property
    def stacks(self) -> list[str]:
        """In the order of `takes`."""
        return [take.stack for take in self.takes]
