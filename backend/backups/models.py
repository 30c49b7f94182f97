"""Records of backups, restores and drills, and of the versions of the data."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class Kind(models.TextChoices):
    BACKUP = "backup"
    RESTORE = "restore"
    # a restore into a scratch database, as a test
    DRILL = "drill"


class BackupRun(models.Model):
    """One run of a command or of the scheduled drill."""

    kind = models.CharField(max_length=8, choices=Kind)
    begun_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField()
    ok = models.BooleanField()
    # bytes of the backup; null where it failed, or was restored from
    bytes = models.BigIntegerField(null=True)
    votes = models.PositiveIntegerField(null=True)
    # sentences: the checks that passed, or why it failed
    sentences = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["-begun_at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.begun_at:%F %T}"


class DataVersion(models.Model):
    """A version of the data (`lib.data_version`) that this database has, or to which an upgrade was begun."""

    number = models.PositiveIntegerField(primary_key=True)
    begun_at = models.DateTimeField(default=timezone.now)
    # null while the upgrade is not complete
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.number}"
