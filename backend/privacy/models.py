"""Erasures that were carried out, and failed attempts to enter a completion code."""

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
    """Record of a participant's erasure: counts, digests and the random id, and nothing else about the person.

    The snapshots that contained their answers are deleted; their digests and the exports made from them stay listed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    # no foreign key: the ledger may name a participant that this database has never had
    participant = models.UUIDField(unique=True)
    erased_at = models.DateTimeField(default=timezone.now)
    by = models.CharField(max_length=16, choices=By)
    # rows that became tombstones, by table
    rows = models.JSONField()
    votes = models.PositiveIntegerField()
    studies = ArrayField(models.CharField(max_length=64))
    snapshots = ArrayField(models.CharField(max_length=64))
    # ids of exports.Export that were downloaded before
    exports = ArrayField(models.UUIDField())

    class Meta:
        ordering: ClassVar = ["-erased_at"]

    def __str__(self) -> str:
        return f"{self.id} ({self.by})"


class FailedCode(models.Model):
    """The time of a failed attempt to enter a completion code; neither the code nor an address is stored."""

    failed_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.failed_at:%F %T}"
