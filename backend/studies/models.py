"""Studies, stimuli, fieldings and quota slots."""

import json
import secrets
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from audit.log import Subject
from audit.models import Kind
from eyelevel_core.contracts import short
from eyelevel_core.study.design import Design
from eyelevel_core.study.frozen import FrozenStudy, read_frozen
from eyelevel_core.study.recruiter import Recruiter
from stimuli.models import Batch, Clip

# without letters and digits that are easily confused when read aloud or copied by hand; 10 of them have 49 bits
SLUG_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
SLUG_LENGTH = 10
# studies whose design a process keeps in memory, some 100 KB each
CACHED_STUDIES = 128


def new_slug() -> str:
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(SLUG_LENGTH))


class Study(models.Model):
    """A frozen design, identified by the SHA-256 of `frozen_text`, which is canonical JSON and never changes."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    name = models.CharField(max_length=64)
    parent_sha256 = models.CharField(max_length=64, null=True, blank=True)
    frozen_text = models.TextField()
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="studies")
    published_at = models.DateTimeField(default=timezone.now)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    # time since which it is archived and read-only (`studies.archive`)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return f"{self.name} {short(self.sha256)}"

    def audit_subject(self) -> Subject:
        return Subject(Kind.STUDY, self.name, self.sha256)

    @property
    def frozen(self) -> dict[str, Any]:
        """`{contract, study, batch, kinds, stimuli}`: the resolved study file and its clips; parsed on each access."""
        loaded: dict[str, Any] = json.loads(self.frozen_text)
        return loaded

    @property
    def content(self) -> FrozenStudy:
        """The frozen study, typed; read once per digest and process, so that its long text can be deferred."""
        return _content(_Frozen(self.sha256, self))

    @property
    def design(self) -> Design:
        """The study's design, with every default applied."""
        return self.content.design


@dataclass(frozen=True)
class _Frozen:
    """Cache key, equal by the digest alone, so that the text is read only on a cache miss."""

    sha256: str
    study: Study = field(compare=False, repr=False)


@lru_cache(maxsize=CACHED_STUDIES)
def _content(frozen: _Frozen) -> FrozenStudy:
    return read_frozen(frozen.study.frozen_text)


def forget_designs() -> None:
    """Clear the cache of designs; for tests that change a frozen study in place."""
    _content.cache_clear()


class ShareLevel(models.TextChoices):
    READ = "read"
    EDIT = "edit"


class StudyShare(models.Model):
    """Permission of an account other than the owner to read or edit a study (see `studies.permissions`)."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="shares")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shares")
    level = models.CharField(max_length=8, choices=ShareLevel)
    shared_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["study", "user"], name="one_share_per_user")]

    def __str__(self) -> str:
        return f"{self.study} with {self.user} ({self.level})"


class StimulusRole(models.TextChoices):
    """Use of a clip in the study; only votes on `main` stimuli answer its question."""

    MAIN = "main"
    # an A/A pair, which measures how often people report a difference although there is none
    IDENTICAL = "identical"
    # the right answer is known
    CONTROL = "control"
    # shown for practice, the same for everybody
    TRAINING = "training"


class Stimulus(models.Model):
    """A clip in a study, shown in one context by one block of trials; with its context it is a cell."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="stimuli")
    # index in the frozen list of stimuli, from 0
    number = models.PositiveIntegerField()
    # index of the block in the study's `trials`, from 0
    block = models.PositiveIntegerField()
    kind = models.CharField(max_length=32)
    role = models.CharField(max_length=16, choices=StimulusRole, default=StimulusRole.MAIN)
    context = models.CharField(max_length=32)
    clip = models.ForeignKey(Clip, on_delete=models.PROTECT, related_name="stimuli")

    class Meta:
        verbose_name_plural = "stimuli"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["study", "number"], name="one_stimulus_per_number"),
            models.UniqueConstraint(fields=["study", "block", "context", "clip", "role"], name="one_stimulus_per_cell"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.context} {self.clip}"


class FieldingState(models.TextChoices):
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class Fielding(models.Model):
    """A data collection wave of a study, with a slug that cannot be guessed."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="fieldings")
    slug = models.CharField(max_length=32, unique=True, default=new_slug)
    # key of the study's group that takes part here
    group = models.CharField(max_length=32, default="volunteer")
    state = models.CharField(max_length=8, choices=FieldingState, default=FieldingState.OPEN)
    quota_sessions = models.PositiveIntegerField()
    # copied from the study, because every vote and play needs it
    lease_minutes = models.PositiveIntegerField(default=30)
    # number of sessions that began without an assignment; see `session_number`
    sessions_without_assignment = models.PositiveIntegerField(default=0)
    # number of simulated sessions that began; they take no assignment, and are numbered separately
    sessions_simulated = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.slug} ({self.state})"

    @property
    def recruiter(self) -> Recruiter | None:
        """The recruiter of the group; None if it has none."""
        return self.study.design.recruiter_of(self.group)

    def audit_subject(self) -> Subject:
        return Subject(Kind.FIELDING, f"{self.study.name} {self.slug}", self.study_id)

    def session_number(self, *, assignment: int, times: int) -> int:
        """The number of the `times`-th session that begins with this assignment; assignment 0 stands for none.

        It needs no counter that all new sessions share, and is never used twice: modulo `quota_sessions` + 1, it is the
        assignment. A session's plan is determined by it. Simulated sessions are numbered separately, so that each has
        the plan of the person with the same number.
        """
        first = 0 if assignment else 1
        return assignment + (times - 1 + first) * (self.quota_sessions + 1)


class Assignment(models.Model):
    """The quota slots that one session fills, assigned and released as a whole; a session claims its row.

    `is_free`: all its slots are open. Code with the fielding's lock maintains this (see `ratings.slots`).
    """

    fielding = models.ForeignKey(Fielding, on_delete=models.CASCADE, related_name="assignments")
    # from 1, in the order in which assignments are given
    number = models.PositiveIntegerField()
    is_free = models.BooleanField(default=True)
    # number of sessions that have begun with it
    times_given = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fielding", "number"], name="one_assignment_per_number")
        ]
        indexes: ClassVar = [
            models.Index(fields=["fielding", "number"], condition=models.Q(is_free=True), name="free_assignments")
        ]

    def __str__(self) -> str:
        return f"{self.fielding_id} {self.number}"


class SlotState(models.TextChoices):
    """Whether a trial has the slot. It is filled if the trial has a vote, so a vote changes no slot."""

    OPEN = "open"
    ASSIGNED = "assigned"


class Slot(models.Model):
    """A vote that a cell needs; the slots of one assignment are assigned to a session as a whole."""

    fielding = models.ForeignKey(Fielding, on_delete=models.CASCADE, related_name="slots")
    stimulus = models.ForeignKey(Stimulus, on_delete=models.PROTECT, related_name="slots")
    # number of the assignment, the same in every block, from 1; null for slots that were created individually
    assignment = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=SlotState, default=SlotState.OPEN)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["fielding", "stimulus", "state"]),
            models.Index(fields=["fielding", "state", "assignment"]),
        ]

    def __str__(self) -> str:
        return f"{self.stimulus} ({self.state})"


class StoredCount(models.Model):
    """A stored count over all rows of a large study; only `studies.stored_counts` writes it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=32)
    value = models.JSONField()
    # time at which counting began
    counted_at = models.DateTimeField()
    took_s = models.FloatField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["study", "name"], name="one_count_per_name")]

    def __str__(self) -> str:
        return f"{short(self.study_id)} {self.name}"
