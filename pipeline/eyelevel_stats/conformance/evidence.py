"""Evidence about one participant's session. None means unknown, and breaks no rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Spell:
    """An interval of time, in ms."""

    at_ms: float
    ms: float


@dataclass(frozen=True)
class Play:
    """One playback of a trial's clip.

    `ended_at` is by the browser's clock, `received_at` by the server's. `complete` is the browser's report, which
    `came_to_end` checks. `media_ms` is the end position of the play in the clip's time. `away` has the spells in which
    the page was hidden or had lost the focus; they may overlap. `hidden` has only those in which it was hidden. `scale`
    and `device_scale`: the smallest size during the play, in CSS pixels and device pixels per captured pixel.
    """

    ended_at: datetime | None
    received_at: datetime
    complete: bool | None
    media_ms: float | None
    stalls: tuple[Spell, ...] | None
    away: tuple[Spell, ...] | None
    scale: float | None
    device_scale: float | None
    hidden: tuple[Spell, ...] | None = None


@dataclass(frozen=True)
class Trial:
    """A trial with its vote.

    `media_ms`: the position of the last play at the answer. `away`: spells between the plays. `first_changes_ms`: the
    first visual change of each side, in the clip's time. `delays_ms`: the delay of each side of a control video.
    `duration_ms`: the length of the clip. `clip_sent_at`: when its first byte was sent to this session, by the server's
    clock. `min_scale`, `min_device_scale`: the smallest size that the block allows, 0 for any.
    """

    position: int
    role: str
    kind: str
    data: Mapping[str, Any]
    answer_from: str
    answered_at: datetime
    received_at: datetime
    media_ms: float | None
    away: tuple[Spell, ...] | None
    first_changes_ms: tuple[float | None, ...]
    delays_ms: tuple[float, ...]
    duration_ms: float | None
    clip_sent_at: datetime | None
    min_scale: float
    min_device_scale: float
    plays: tuple[Play, ...]


@dataclass(frozen=True)
class Question:
    """A control question, its right choice, and the participant's choice."""

    key: str
    right: str
    choice: str | None


@dataclass(frozen=True)
class Evidence:
    """A session; trials that were skipped, or that wait for their vote, are not among `trials`.

    `skipped_controls` counts the control videos that were skipped. `planned` are all trials of the session, and
    `unplayable` those that were skipped because their video did not play. `simulated`: not a person.
    """

    started_at: datetime
    completed_at: datetime | None
    trials: tuple[Trial, ...]
    questions: tuple[Question, ...]
    skipped_controls: int = 0
    simulated: bool = False
    planned: int = 0
    unplayable: int = 0

    @property
    def watched(self) -> tuple[Trial, ...]:
        """The trials that R1 to R4 and R8 check: all except training trials, whose votes are not data."""
        return tuple(trial for trial in self.trials if trial.role != "training")

    @property
    def controls(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.role == "control")

    @property
    def answers_something(self) -> bool:
        """Whether there is a vote of a main trial; all other votes only check the participant."""
        return any(trial.role == "main" for trial in self.trials)
