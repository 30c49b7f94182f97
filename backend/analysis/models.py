"""Snapshots, results, and the state of each study's analysis."""

import json
from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from analysis.stored import RESULT_FIELDS
from eyelevel_core.contracts import short
from eyelevel_stats import METHOD_VERSION
from lib.leases import Leased
from lib.queued_jobs import QueuedJob
from studies.models import Study


class Snapshot(models.Model):
    """The data that one analysis read; its identity is the SHA-256 of `manifest_text`, which lists files and parts."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="snapshots")
    # canonical JSON of the contract eyelevel/snapshot/1
    manifest_text = models.TextField()
    votes = models.PositiveIntegerField()
    sessions = models.PositiveIntegerField()
    exclusions = models.PositiveIntegerField()
    # verdicts given by then; a further verdict may leave all files unchanged
    verdicts = models.PositiveIntegerField(default=0)
    # sessions whose answers it contains, so that an erasure finds it
    session_ids = ArrayField(models.UUIDField())
    created_at = models.DateTimeField(default=timezone.now)
    # exported and possibly cited: it is kept, unless a participant in it is erased
    exported_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{short(self.sha256)} ({self.votes} votes)"

    @property
    def manifest(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.manifest_text)
        return loaded


class Part(models.Model):
    """A Parquet file with a study's votes, or plays, of one day (UTC); snapshots share the parts that stay the same.

    Votes and plays are only added, so a part is valid as long as it has as many rows as the database has for that day,
    and the form that this version of the program writes. An erasure deletes the parts that contain the participant,
    and the next analysis writes them again without those rows.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="parts")
    # "votes" or "plays"
    kind = models.CharField(max_length=8)
    day = models.DateField()
    rows = models.PositiveIntegerField()
    # `analysis.snapshots.parts.form_of` when it was written
    form = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    session_ids = ArrayField(models.UUIDField())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["study", "kind", "day"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.day} ({self.rows} rows)"


class ResultOrigin(models.TextChoices):
    """Whose votes a result is computed from."""

    PERSON = "person"
    # simulated sessions included
    ALL = "all"


class Result(models.Model):
    """Results that one version of the statistics computed from a snapshot, for people's votes or for all.

    `tables` has the rows of each table by its name, in the form of docs/contracts/api.md. `votes` and `sessions` are
    the numbers from which the tables are computed. `counts` accounts for every session and vote of the snapshot: rows
    of `eyelevel_stats.conformance.CountRow`.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="results")
    method_version = models.PositiveIntegerField()
    # digest of the fields of the stored rows, by `analysis.stored`
    fields_sha256 = models.CharField(max_length=64, default="", blank=True)
    origin = models.CharField(max_length=8, choices=ResultOrigin, default=ResultOrigin.PERSON)
    tables = models.JSONField(default=dict)
    # all identical pairs together; null if there are none
    identical_all = models.JSONField(null=True)
    votes = models.PositiveIntegerField(default=0)
    sessions = models.PositiveIntegerField(default=0)
    # simulated sessions that are complete and not excluded, whether or not this result uses them
    simulated_sessions = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=list)
    computed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["snapshot", "method_version", "fields_sha256", "origin"],
                name="one_result_per_snapshot_method_fields_and_origin",
            )
        ]

    def __str__(self) -> str:
        return f"{short(self.snapshot_id)} by method {self.method_version}"

    @property
    def is_current(self) -> bool:
        """Whether this version of the program computed it; a result of another version may lack fields."""
        return (self.method_version, self.fields_sha256) == (METHOD_VERSION, RESULT_FIELDS)

    @staticmethod
    def current(prefix: str = "") -> models.Q:
        """`is_current` as a query condition; `prefix` is the path to the result from another model."""
        versions = {"method_version": METHOD_VERSION, "fields_sha256": RESULT_FIELDS}
        return models.Q(**{f"{prefix}{name}": value for name, value in versions.items()})


class InDepthState(models.TextChoices):
    """State of the tables in depth of a result."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class InDepthResult(QueuedJob):
    """Tables in depth of a result, computed once the study is closed; changed only by `computing.in_depth`.

    `tables` has the rows of each table of `eyelevel_stats.tables.IN_DEPTH` by its name, each row a list of values in
    the order of its fields. `hypotheses` answers the plan's hypotheses about metrics.
    """

    result = models.OneToOneField(Result, primary_key=True, on_delete=models.CASCADE, related_name="in_depth")
    state = models.CharField(max_length=8, choices=InDepthState, default=InDepthState.QUEUED)
    # the part that is being computed, and the numbers of parts done and in total
    part = models.CharField(max_length=100, default="", blank=True)
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)
    tables = models.JSONField(default=dict)
    # digest of the fields of these rows, by `analysis.stored`
    fields_sha256 = models.CharField(max_length=64, default="", blank=True)
    hypotheses = models.JSONField(default=list)
    # the message about the failure, if it failed
    error = models.TextField(default="", blank=True)

    def __str__(self) -> str:
        return f"{self.result_id} {self.state}"


class AnalysisState(Leased):
    """State of the analysis of one study. Changed only by the conditional updates in `computing.turns`.

    An analysis is due while `wanted > done`. The worker with the lease runs it; an expired lease can be taken.
    """

    study = models.OneToOneField(Study, primary_key=True, on_delete=models.CASCADE, related_name="analysis")
    # number of requests for an analysis; `done` is the value of `wanted` when the last finished run began
    wanted = models.PositiveBigIntegerField(default=0)
    done = models.PositiveBigIntegerField(default=0)
    # no run begins earlier, so that many votes need few runs
    not_before = models.DateTimeField(null=True, blank=True)
    # number of erasures in the study; data read before the last one are not stored
    erasures = models.PositiveBigIntegerField(default=0)
    result = models.ForeignKey(Result, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    # rows that the last finished run read, to compare with the current numbers
    votes_read = models.PositiveBigIntegerField(default=0)
    exclusions_read = models.PositiveBigIntegerField(default=0)
    verdicts_read = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{short(self.study_id)} {self.done}/{self.wanted}"

    @property
    def shown(self) -> Result | None:
        """The result, if this version of the program computed it; any other is computed again."""
        return self.result if self.result is not None and self.result.is_current else None
