"""The log of erasures, and failed guesses of codes."""

import uuid
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from ratings.models import Added


class By(models.TextChoices):
    PARTICIPANT = "participant"
    ADMIN = "admin"


class Erasure(Added):
    """One participant's erasure: what became of what, and nothing of the person but their random id.

    The snapshots that held their answers are gone; their digests stay here, and so do the exports made of them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    # no foreign key: the ledger may know of one whom this database has never had
    participant = models.UUIDField(unique=True)
    erased_at = models.DateTimeField(default=timezone.now)
    by = models.CharField(max_length=16, choices=By)
    # rows that became tombstones, by table
    rows = models.JSONField()
    votes = models.PositiveIntegerField()
    studies = ArrayField(models.CharField(max_length=64))
    snapshots = ArrayField(models.CharField(max_length=64))
    # exports.Export: they were handed out before, and cannot be called back
    exports = ArrayField(models.UUIDField())

    class Meta:
        ordering: ClassVar = ["-erased_at"]

    def __str__(self) -> str:
        return f"{self.id} ({self.by})"


class FailedCode(models.Model):
    """A completion code that was not found: when, and neither which nor from where."""

    failed_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.failed_at:%F %T}"
