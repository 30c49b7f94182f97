"""Alerts that were raised, stored so that each is sent only once."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from studies.models import Study


class RaisedAlert(models.Model):
    """An alert of a study from `raised_at` until `ended_at`; messages about it were sent by e-mail and webhook."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    code = models.CharField(max_length=32)
    # the link's slug, or slug and digest of a clip
    subject = models.CharField(max_length=160)
    raised_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    # null until it was sent
    mailed_at = models.DateTimeField(null=True, blank=True)
    posted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-raised_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["study", "code", "subject"], name="one_alert_per_study_code_and_subject")
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.subject}"
