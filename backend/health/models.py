"""What health remembers: how full the disk was."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class DiskSample(models.Model):
    """Free and used bytes of the disk with the files, once an hour."""

    at = models.DateTimeField(default=timezone.now, unique=True)
    free_bytes = models.BigIntegerField()
    total_bytes = models.BigIntegerField()

    class Meta:
        ordering: ClassVar = ["at"]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.free_bytes}"
