"""The log. It holds names of accounts, never an address and nothing of a participant."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class What(models.TextChoices):
    PUBLISH = "publish"
    # a fielding's state
    OPEN = "open"
    PAUSE = "pause"
    CLOSE = "close"
    EXPORT = "export"
    # seeing results by stack while people still answer
    UNBLIND = "unblind"
    ERASE = "erase"
    # an account: made, closed, opened again, its password
    ACCOUNT = "account"
    ROLE = "role"
    SHARE = "share"
    TOKEN = "token"  # noqa: S105 - a word, no secret


class Kind(models.TextChoices):
    """What a deed was done to."""

    STUDY = "study"
    FIELDING = "fielding"
    ACCOUNT = "account"
    OTHER = "other"


class AuditEntry(models.Model):
    """One deed. The database refuses to change or delete it."""

    at = models.DateTimeField(default=timezone.now)
    # Null where a command on the server did it. The log outlives accounts, and none of its rows may change when one
    # goes: no constraint, and the name as it was.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    actor_name = models.CharField(max_length=150, blank=True)
    what = models.CharField(max_length=16, choices=What)
    kind = models.CharField(max_length=16, choices=Kind)
    # its name; a fielding's begins with its study's
    target = models.CharField(max_length=200)
    # the study it is about, so that its owner can see it
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
            raise TypeError("An audit entry is never changed.")
        super().save(*args, **kwargs)
