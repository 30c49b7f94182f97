"""Verdicts on sessions."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from ratings.models import AppendOnly, Session


class Verdict(AppendOnly):
    """Result of all rules for a session at one moment; the newest verdict counts.

    `findings` is `[{rule, broken: "yes"|"no"|"unknown", reason, trials, unknown}]`, in the order of the rules. All
    columns but the session are null if the session is erased.
    """

    KEPT: ClassVar[tuple[str, ...]] = ("id", "session")
    PARTICIPANT = "session__participant"

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="verdicts")
    # version of the rules: `conformance.version` of the study
    version = models.PositiveIntegerField(null=True)
    # to be paid
    accepted = models.BooleanField(null=True)
    # in the analysis
    used = models.BooleanField(null=True)
    findings = models.JSONField(null=True)
    # number of plays that it considered
    plays = models.PositiveIntegerField(null=True)
    judged_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        ordering: ClassVar = ["session", "id"]

    def __str__(self) -> str:
        return (
            f"{self.session_id}: {'accepted' if self.accepted else 'not accepted'}, {'' if self.used else 'not '}used"
        )
