"""The audit log. It contains names of accounts, but no IP addresses and nothing about participants."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class What(models.TextChoices):
    PUBLISH = "publish"
    # state of a fielding
    OPEN = "open"
    PAUSE = "pause"
    CLOSE = "close"
    EXPORT = "export"
    # seeing results by stack during data collection
    UNBLIND = "unblind"
    # each opening of them
    LOOK = "look"
    ERASE = "erase"
    # an account: created, closed, reopened, new password
    ACCOUNT = "account"
    ROLE = "role"
    SHARE = "share"
    TOKEN = "token"  # noqa: S105 - a word, no secret
    # a study becomes read-only, or is restored from the archive
    ARCHIVE = "archive"
    UNARCHIVE = "unarchive"
    # a study or a batch
    DELETE = "delete"


class Kind(models.TextChoices):
    """Kind of an event's subject."""

    STUDY = "study"
    FIELDING = "fielding"
    ACCOUNT = "account"
    BATCH = "batch"
    OTHER = "other"


class AuditEntry(models.Model):
    """One audit event. The database rejects changes and deletion."""

    at = models.DateTimeField(default=timezone.now)
    # Null for a command on the server. The log outlives accounts and its rows never change, so there is no constraint
    # on the key, and the name is stored as it was.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    actor_name = models.CharField(max_length=150, blank=True)
    what = models.CharField(max_length=16, choices=What)
    kind = models.CharField(max_length=16, choices=Kind)
    # name of the subject; a fielding's begins with the name of its study
    target = models.CharField(max_length=200)
    # the study concerned, whose owner may read the event
    study_sha256 = models.CharField(max_length=64, null=True)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes: ClassVar = [models.Index(fields=["study_sha256", "at"]), models.Index(fields=["at"])]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["actor", "study_sha256"], condition=models.Q(what="unblind"), name="unblinded_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.actor_name or 'command'}: {self.what} {self.kind} {self.target}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("Audit entries cannot be changed.")
        super().save(*args, **kwargs)
