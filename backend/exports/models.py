"""Exports that were downloaded. They cannot be erased afterwards, but an erasure names them."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from eyelevel_core.contracts import short
from ratings.models import Added
from studies.models import Study


class Export(Added):
    """One download of a study's votes. It names its snapshot by digest, since erasure may delete that one."""

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
