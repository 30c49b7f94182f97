"""A study's design as frozen dataclasses: every default applied, read once from a resolved study."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from eyelevel_core.study.recruiter import Recruiter

# rough times of a participant other than watching, for the duration on the first page and the pay per hour
INTRODUCTION_S = 90
ANSWER_S = 8


def trial_s(clip_s: float) -> float:
    """Estimates the length of a trial with a clip of this length."""
    return clip_s + ANSWER_S


# one text per language
Text = Mapping[str, str]


@dataclass(frozen=True)
class Consent:
    version: str
    text: Text


@dataclass(frozen=True)
class Context:
    """A situation that participants imagine, and the networks whose clips are shown in it."""

    key: str
    label: Text
    networks: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    key: str
    label: Text


@dataclass(frozen=True)
class Question:
    """A question about the participant."""

    key: str
    label: Text
    choices: tuple[Choice, ...]
    required: bool


@dataclass(frozen=True)
class ControlQuestion:
    """A question with one right answer (`right` is a choice's key), asked after `after` trials."""

    key: str
    label: Text
    choices: tuple[Choice, ...]
    right: str
    after: int


@dataclass(frozen=True)
class ControlVideos:
    """Delayed clips per participant; a rating above `max_score` is wrong."""

    count: int
    max_score: int


@dataclass(frozen=True)
class Controls:
    videos: ControlVideos
    questions: tuple[ControlQuestion, ...]


@dataclass(frozen=True)
class Block:
    """Trials of one kind: `count` per participant are data, `training` and `repeats` are additional.

    `sites` and `networks` restrict what is shown; None means all. `kind_fields` has the fields that only blocks of the
    kind have, with their defaults; only the kind and the share of identical pairs read it.
    """

    kind: str
    count: int
    contexts: tuple[str, ...]
    clips: Literal["random", "medoid"] = "random"
    training: int = 0
    repeats: int = 0
    answer_from: Literal["start", "end"] = "end"
    sites: tuple[str, ...] | None = None
    networks: tuple[str, ...] | None = None
    kind_fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def trials(self) -> int:
        """Trials per participant, training and repeats included."""
        return self.count + self.training + self.repeats

    @property
    def min_scale(self) -> float:
        """Smallest size at which a film may be shown, in CSS pixels per captured pixel; 0 if the kind has no limit."""
        return float(self.kind_fields.get("min_scale", 0))

    @property
    def min_device_scale(self) -> float:
        """The same in device pixels per captured pixel."""
        return float(self.kind_fields.get("min_device_scale", 0))

    @property
    def has_identical(self) -> bool:
        """Whether the block's kind can show identical (A/A) pairs."""
        return "identical" in self.kind_fields

    @property
    def identical(self) -> float:
        """Share of `count` that shows identical (A/A) pairs, 0 to 1."""
        share: float = self.kind_fields.get("identical", 0)
        return share


@dataclass(frozen=True)
class Group:
    """Participants with a link and a quota (complete sessions) of their own."""

    key: str
    sessions: int
    label: Text = field(default_factory=dict)
    recruiter: Recruiter | None = None


@dataclass(frozen=True)
class SessionPolicy:
    """Rules for unfinished sessions and narrow windows; times in minutes."""

    resume: Literal["resume", "restart", "block"]
    resume_within_minutes: int
    lease_minutes: int
    time_limit_minutes: int
    narrow_window: Literal["skip", "refuse"]


@dataclass(frozen=True)
class Rule:
    """A rule of conformance: `use` excludes those who break it from analyses; `pay` pays them nevertheless."""

    use: bool
    pay: bool
    # the rule's thresholds by name, e.g. stall_ms
    thresholds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Conformance:
    """Rules R1 to R9 by name; `version` is the version of their meaning."""

    version: int
    rules: Mapping[str, Rule]


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis: a sentence, and the fields that a program needs to answer it, which requires a `kind`.

    `kind` is the data that answers it: votes of `rate` or `compare` trials about a `pair` of stacks, or the agreement
    of `metrics` with MOS. `expects` is about the pair's second stack: it is rated higher or lower, or chosen more or
    less often, than the first. `networks`: a claim about each network, or about all together. `over` names the
    networks; without it, a claim about each is about those on which the study asks about both stacks. `margin` is the
    smallest difference that matters: in points of the scale, or as the share of answers for the second stack minus
    that for the first. `metric` is the one that agrees best.
    """

    key: str
    says: str
    kind: Literal["rate", "compare", "metrics"] | None = None
    pair: tuple[str, str] | None = None
    networks: Literal["each", "pooled"] | None = None
    over: tuple[str, ...] | None = None
    expects: Literal["higher", "lower", "different", "equivalent"] | None = None
    margin: float | None = None
    margin_reason: str | None = None
    metric: str | None = None


@dataclass(frozen=True)
class Looks:
    """Looks at results by stack during data collection, each at a number of used sessions.

    `spending` is the function that distributes alpha over them; `planned` is the number of sessions of all quotas.
    """

    at: tuple[int, ...]
    spending: Literal["obrien-fleming", "pocock"]
    planned: int


@dataclass(frozen=True)
class Plan:
    """The plan of analysis; `sd` is the expected standard deviation of scores within a cell.

    `looks`: None without looks at results by stack before the end.
    """

    hypotheses: tuple[Hypothesis, ...]
    alpha: float
    power: float
    sd: float
    model: str | None = None
    exclusions: str | None = None
    stopping: str | None = None
    looks: Looks | None = None


@dataclass(frozen=True)
class Ethics:
    board: str
    number: str | None = None


@dataclass(frozen=True)
class Retention:
    """The months after which recruiters' ids are deleted; `text` informs participants about retention."""

    months: int
    text: Text


@dataclass(frozen=True)
class Pay:
    """Payment per participant; `fair_hourly` is the minimum for an hour."""

    amount: float
    currency: str
    fair_hourly: float | None = None


@dataclass(frozen=True)
class Design:
    """A study with every default applied. `batch` is a batch's digest or a campaign's name."""

    name: str
    seed: int
    languages: tuple[str, ...]
    title: Text
    contact: str
    consent: Consent
    instructions: Text
    batch: str
    contexts: tuple[Context, ...]
    context_order: Literal["counterbalanced", "random", "fixed"]
    questions: tuple[Question, ...]
    blocks: tuple[Block, ...]
    controls: Controls
    groups: tuple[Group, ...]
    session: SessionPolicy
    conformance: Conformance
    plan: Plan
    parent: str | None = None
    ethics: Ethics | None = None
    retention: Retention | None = None
    debriefing: Text | None = None
    pay: Pay | None = None
    # its clips are for training only
    training_site: str | None = None
    # longer clips are excluded
    max_clip_s: float | None = None

    @property
    def context_keys(self) -> tuple[str, ...]:
        return tuple(context.key for context in self.contexts)

    @property
    def group_keys(self) -> tuple[str, ...]:
        return tuple(group.key for group in self.groups)

    def recruiter_of(self, group: str) -> Recruiter | None:
        """The recruiter of the group with this key; None if it has none, or there is no such group."""
        return next((candidate.recruiter for candidate in self.groups if candidate.key == group), None)

    @property
    def sessions(self) -> int:
        """The number of complete sessions that the study plans, over all groups."""
        return sum(group.sessions for group in self.groups)

    @property
    def trial_count(self) -> int:
        """The number of trials per participant, control videos included."""
        return sum(block.trials for block in self.blocks) + self.controls.videos.count

    def seconds(self, clip_s: Sequence[float]) -> float:
        """Estimates the length of a session; `clip_s` is the mean clip length per block."""
        other = INTRODUCTION_S + ANSWER_S * len(self.controls.questions)
        trials = sum(block.trials * trial_s(length) for block, length in zip(self.blocks, clip_s, strict=True))
        controls = self.controls.videos.count * trial_s(sum(clip_s) / len(clip_s))
        return other + trials + controls

    def minutes(self, clip_s: Sequence[float]) -> int:
        """Estimates the same in whole minutes, rounded up."""
        return math.ceil(self.seconds(clip_s) / 60)

    def with_identical(self, shares: Mapping[int, float]) -> "Design":
        """Returns the same design with these shares of identical pairs, by the block's number from 0."""
        blocks = [
            replace(block, kind_fields={**block.kind_fields, "identical": shares[number]})
            if number in shares
            else block
            for number, block in enumerate(self.blocks)
        ]
        return replace(self, blocks=tuple(blocks))

    def with_training(self, numbers: Mapping[int, int]) -> "Design":
        """Returns the same design with these numbers of training trials, by the block's number from 0."""
        blocks = [replace(block, training=numbers[number]) for number, block in enumerate(self.blocks)]
        return replace(self, blocks=tuple(blocks))
