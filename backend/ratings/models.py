"""Participants, sessions, trials, plays and votes."""

import secrets
import uuid
from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from eyelevel_kinds import KINDS
from ratings.tombstones import Erasable, Living
from studies.models import Fielding, Slot, Stimulus, Study


class AppendOnlyError(Exception):
    """An append-only row was to be changed or deleted."""


class Added(models.Model):
    """Append-only rows; triggers in the database enforce the same for all other clients."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError(f"The {self._meta.verbose_name} {self.pk} is append-only and cannot be changed.")
        super().save(*args, **(kwargs | {"force_insert": True}))

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError(f"The {self._meta.verbose_name} {self.pk} is append-only and cannot be deleted.")


class AppendOnly(Added, Erasable):
    """Append-only rows that a participant sent, which can be erased."""

    class Meta:
        abstract = True


class Participant(Erasable):
    """A person who takes part in one study: a random id and nothing else; in each study, a person has another id."""

    KEPT = ("id",)
    PARTICIPANT = "pk"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    created_at = models.DateTimeField(default=timezone.now, null=True)

    def __str__(self) -> str:
        return str(self.id)


class Recruitment(models.Model):
    """The recruiter's id of a participant; analyses and exports never read this table."""

    participant = models.OneToOneField(Participant, on_delete=models.CASCADE)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="+")
    recruiter = models.CharField(max_length=64)
    recruiter_id = models.CharField(max_length=128)
    # the other parameters of the link, e.g. the recruiter's ids of its study and of the submission
    arrival = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "recruiter", "recruiter_id"], name="one_participant_per_recruit_and_study"
            )
        ]

    def __str__(self) -> str:
        return self.recruiter


class PlayFault(models.TextChoices):
    # the browser received all bytes but shows no picture
    UNDECODABLE = "undecodable"
    # the bytes were not those of the clip, several times
    DAMAGED = "damaged"
    # the server no longer has the clip
    GONE = "gone"
    # the transfer was interrupted repeatedly
    INCOMPLETE = "incomplete"


class PlayFailure(models.Model):
    """Number of times that a clip did not play in a kind of browser; nothing about the participants."""

    fielding = models.ForeignKey(Fielding, on_delete=models.CASCADE, related_name="+")
    stimulus = models.ForeignKey(Stimulus, on_delete=models.CASCADE, related_name="+")
    browser = models.CharField(max_length=32)
    fault = models.CharField(max_length=16, choices=PlayFault)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["fielding", "stimulus", "browser", "fault"], name="one_count_per_clip_browser_and_fault"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stimulus_id} {self.browser} {self.fault} {self.times}"


class ProblemShown(models.Model):
    """Number of times that participants of a link got a problem with this code on a day in UTC; nothing about them."""

    fielding = models.ForeignKey(Fielding, on_delete=models.CASCADE, related_name="+")
    code = models.CharField(max_length=32)
    day = models.DateField()
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fielding", "code", "day"], name="one_count_per_link_code_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.day} {self.times}"


class SessionState(models.TextChoices):
    STARTED = "started"
    COMPLETED = "completed"
    # replaced by another session of the same participant
    RESTARTED = "restarted"


class Origin(models.TextChoices):
    """The user of a session; previews store no votes."""

    PERSON = "person"
    SIMULATED = "simulated"
    PREVIEW = "preview"


class SessionQuerySet(models.QuerySet["Session"]):
    """Sessions; counts of sessions use `but_previews`."""

    def but_previews(self) -> "SessionQuerySet":
        return self.exclude(origin=Origin.PREVIEW)


class Session(Erasable):
    """The visit of one participant to one fielding. Tokens of cookies are stored as hashes."""

    KEPT = ("id", "participant", "fielding", "number", "state", "origin")
    PARTICIPANT = "participant"

    objects: ClassVar = Living.from_queryset(SessionQuerySet)()
    with_tombstones: ClassVar = SessionQuerySet.as_manager()

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="sessions")
    fielding = models.ForeignKey(Fielding, on_delete=models.PROTECT, related_name="sessions")
    # unique among the fielding's sessions of this origin (`Fielding.session_number`); with the study's seed, it
    # determines the plan; null for previews
    number = models.PositiveIntegerField(null=True)
    # of the browser in which it was started; null if it was started in another browser by the recruiter's id alone
    token_sha256 = models.CharField(max_length=64, unique=True, null=True)
    # of a browser in which it was resumed by the recruiter's id alone, which may only answer and finish
    other_token_sha256 = models.CharField(max_length=64, unique=True, null=True)
    state = models.CharField(max_length=16, choices=SessionState, default=SessionState.STARTED)
    origin = models.CharField(max_length=16, choices=Origin, default=Origin.PERSON)
    # of a preview, whose answers are not kept: `{person, answered: {position: {id, at}}, controls: [key]}`
    preview = models.JSONField(null=True, blank=True)
    # the following columns are null if the session is erased
    language = models.CharField(max_length=8, null=True)
    consent_version = models.CharField(max_length=64, null=True)
    screen_width_px = models.PositiveIntegerField(null=True)
    screen_height_px = models.PositiveIntegerField(null=True)
    device_pixel_ratio = models.FloatField(null=True)
    started_at = models.DateTimeField(default=timezone.now, null=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    # time since which a verdict is due, after its end or after late plays; null once it is given
    to_judge_since = models.DateTimeField(null=True, blank=True)
    # time after which its slots are released; plausible progress extends it (`eyelevel_core.assignment.lease`)
    lease_until = models.DateTimeField(null=True)
    # time after which its slots are released if no others are free; earlier until there is progress
    yields_at = models.DateTimeField(null=True)
    completion_code = models.CharField(max_length=16, null=True, blank=True, unique=True)
    # names of the link's parameters if it has no recruiter, because their values are not stored; null for none
    unknown_parameters = ArrayField(models.CharField(max_length=64), null=True, blank=True)

    class Meta:
        # queries over all sessions use only the first index; the others have few rows
        indexes: ClassVar = [
            models.Index(
                fields=["fielding", "started_at", "id"],
                include=["state", "origin", "erased_at"],
                name="sessions_by_start",
            ),
            models.Index(
                fields=["fielding", "lease_until"], condition=models.Q(state="started"), name="running_sessions"
            ),
            models.Index(
                fields=["to_judge_since"], condition=models.Q(to_judge_since__isnull=False), name="sessions_to_judge"
            ),
            models.Index(
                fields=["fielding"],
                condition=models.Q(unknown_parameters__isnull=False),
                name="sessions_of_unknown_links",
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fielding", "origin", "number"], name="one_session_per_origin_and_number"),
            models.CheckConstraint(
                condition=models.Q(origin="preview", number__isnull=True, preview__isnull=False)
                | ~models.Q(origin="preview") & models.Q(number__isnull=False, preview__isnull=True),
                name="previews_have_no_number",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_preview(self) -> bool:
        return self.origin == Origin.PREVIEW


class PersonAnswers(Erasable):
    """A participant's answers about themselves, e.g. `{"age": "25-34"}`."""

    KEPT = ("id", "session")
    PARTICIPANT = "session__participant"

    session = models.OneToOneField(Session, on_delete=models.PROTECT, related_name="person")
    answers = models.JSONField(null=True)
    answered_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        verbose_name_plural = "person answers"

    def __str__(self) -> str:
        return str(self.session_id)


def new_clip_token() -> str:
    return secrets.token_urlsafe(24)


class Layout(models.TextChoices):
    """Arrangement of the answers of a question in the participant's window."""

    # side by side
    ROW = "row"
    # below each other
    COLUMN = "column"


class TrialRole(models.TextChoices):
    """Use of a trial; only votes of `main` trials answer the study's question."""

    TRAINING = "training"
    MAIN = "main"
    # a main trial of this session asked a second time
    REPEAT = "repeat"
    IDENTICAL = "identical"
    CONTROL = "control"


class Trial(Erasable):
    """One question about one stimulus at one position (from 1) of a session's plan."""

    KEPT = ("id", "session", "position", "stimulus", "role", "repeats_position", "kind", "kind_version")
    PARTICIPANT = "session__participant"

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="trials")
    position = models.PositiveIntegerField()
    stimulus = models.ForeignKey(Stimulus, on_delete=models.PROTECT, related_name="trials")
    # the quota slot that this trial fills; null once it was assigned to another session, or if none was left
    slot = models.OneToOneField(Slot, null=True, blank=True, on_delete=models.SET_NULL, related_name="trial")
    role = models.CharField(max_length=16, choices=TrialRole, default=TrialRole.MAIN)
    # the trial that this one repeats
    repeats_position = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=32)
    kind_version = models.PositiveIntegerField()
    # name of the clip in this session's URLs, which reveals nothing about the clip
    clip_token = models.CharField(max_length=64, unique=True, default=new_clip_token, null=True)
    # time at which the clip's first byte was first sent to this session, by the server's clock; null if never
    clip_sent_at = models.DateTimeField(null=True, blank=True)
    # whether it was skipped, because the window was too narrow or the clip did not play
    skipped = models.BooleanField(default=False, null=True)
    # whether the participant's browser could not play its clip, so that it may be skipped
    unplayable = models.BooleanField(default=False, null=True)

    class Meta:
        ordering: ClassVar = ["session", "position"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "position"], name="one_trial_per_position")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.position}"


class Play(AppendOnly):
    """A playback of a clip in a trial; the participant's browser generates its id. Times are those of the browser."""

    KEPT = ("id", "trial")
    PARTICIPANT = "trial__session__participant"

    id = models.UUIDField(primary_key=True)
    trial = models.ForeignKey(Trial, on_delete=models.PROTECT, related_name="plays")
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    replay = models.BooleanField(null=True)
    # the same as in the evidence
    frames_presented = models.PositiveIntegerField(null=True)
    frames_dropped = models.PositiveIntegerField(null=True)
    # playback telemetry, by the contract play-evidence.1
    evidence = models.JSONField(null=True)
    received_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(erased_at__isnull=False)
                | models.Q(started_at__isnull=False, replay__isnull=False, received_at__isnull=False),
                name="only_an_erased_play_is_empty",
            )
        ]

    def __str__(self) -> str:
        return str(self.id)


class Vote(AppendOnly):
    """An answer in a trial, with all data about the question; the participant's browser generates its id.

    `data` is validated by the trial's kind, e.g. `{"score": 1..7}`; a new kind needs no migration. An erased vote keeps
    the question, but not the answer.
    """

    KEPT = (
        *("id", "trial", "session", "study", "clip_sha256", "stacks", "context", "position", "role"),
        *("kind", "kind_version"),
    )
    PARTICIPANT = "session__participant"

    id = models.UUIDField(primary_key=True)
    trial = models.OneToOneField(Trial, on_delete=models.PROTECT, related_name="vote")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="votes")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="votes")
    clip_sha256 = models.CharField(max_length=64)
    # the clip's stacks; for a comparison left, then right
    stacks = ArrayField(models.CharField(max_length=64))
    context = models.CharField(max_length=32)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=32)
    kind_version = models.PositiveIntegerField()
    data = models.JSONField(null=True)
    role = models.CharField(max_length=16, choices=TrialRole, default=TrialRole.MAIN)
    # the clip of the previous trial; null in the first trial
    previous_clip_sha256 = models.CharField(max_length=64, null=True)
    # arrangement of the answers when the choice was made; null if unknown
    layout = models.CharField(max_length=8, choices=Layout, null=True)
    replays = models.PositiveIntegerField(null=True)
    # from the end of the first play, or from its start if the block has `answer_from: start`, to the last choice
    answer_ms = models.FloatField(null=True)
    # position of the clip at the last choice, in the clip's time; null if unknown
    media_ms = models.FloatField(null=True)
    # [{at_ms, ms}] since the trial was first shown: page hidden or unfocused outside of plays; null if unknown
    away = models.JSONField(null=True)
    # by the browser's clock, and by the server's clock
    answered_at = models.DateTimeField(null=True)
    received_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["study", "received_at"])]
        # the database checks the first two kinds too; `save` validates every kind
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(erased_at__isnull=False)
                | models.Q(
                    data__isnull=False,
                    replays__isnull=False,
                    answer_ms__isnull=False,
                    answered_at__isnull=False,
                    received_at__isnull=False,
                ),
                name="only_an_erased_vote_is_empty",
            ),
            # an erased vote has no data, and unknown values pass every check
            models.CheckConstraint(
                condition=~models.Q(kind="rate")
                | models.Q(data__has_key="score", data__score__in=[1, 2, 3, 4, 5, 6, 7]),
                name="rate_has_a_score_of_1_to_7",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="compare")
                | models.Q(
                    data__has_keys=["choice", "sureness"],
                    data__choice__in=["left", "right", "none"],
                    data__sureness__in=[1, 2, 3, 4, 5],
                ),
                name="compare_has_a_choice_and_sureness",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Validate and store the vote; raises AnswerError if the answer is not valid for its kind."""
        if self._state.adding:
            self.data = KINDS[self.kind].validate(self.data or {})
        super().save(*args, **kwargs)

    def __str__(self) -> str:
        return str(self.id)


class Exclusion(AppendOnly):
    """Exclusion of a session's votes from analyses, by a rule."""

    KEPT = ("id", "session")
    PARTICIPANT = "session__participant"

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="exclusions")
    rule = models.CharField(max_length=64, null=True)
    excluded_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "rule"], name="one_exclusion_per_rule")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.rule}"


class ControlAnswer(AppendOnly):
    """A participant's choice in a control question; key and choice are null if the session is erased."""

    KEPT: ClassVar[tuple[str, ...]] = ("id", "session")
    PARTICIPANT = "session__participant"

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="control_answers")
    key = models.CharField(max_length=32, null=True)
    choice = models.CharField(max_length=32, null=True)
    received_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "key"], name="one_answer_per_control_question")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.key}"
