"""Samples of the free space of the disk."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class DiskSample(models.Model):
    """Free and total bytes of the disk with the files, sampled once an hour."""

    at = models.DateTimeField(default=timezone.now, unique=True)
    free_bytes = models.BigIntegerField()
    total_bytes = models.BigIntegerField()

    class Meta:
        ordering: ClassVar = ["at"]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.free_bytes}"
