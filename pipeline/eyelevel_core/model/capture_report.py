"""The outcome of a campaign: report.json. Contract capture-report.1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from eyelevel_core.model.record import Record, left_out_at_default


@dataclass(frozen=True)
class ArmOutcome(Record):
    """Runs and attempts of a stack, over all networks or on one. None is unknown.

    `pressure` has the median of each share over the takes that have it, `without_pressure` counts the other takes.
    """

    network: str | None = left_out_at_default(None)
    stack: str = field(kw_only=True)
    runs: int | None = field(kw_only=True)
    attempts: int | None = field(kw_only=True)
    valid: int = field(kw_only=True)
    censored: int = field(kw_only=True)
    void: int | None = field(kw_only=True)
    void_with_block: int | None = field(kw_only=True)
    void_causes: Mapping[str, int] | None = field(kw_only=True)
    without_take: int | None = field(kw_only=True)
    changed_after_next_began: int = field(kw_only=True)
    void_rate: float | None = field(kw_only=True)
    censored_rate: float | None = field(kw_only=True)
    pressure: Mapping[str, float | None] = field(kw_only=True)
    without_pressure: int = field(kw_only=True)


@dataclass(frozen=True)
class Difference(Record):
    """A test of whether the rates of the stacks differ."""

    test: str
    p: float


@dataclass(frozen=True)
class MissingRun(Record):
    """A run without a take, and why its last attempt was void."""

    run: str
    attempts: int
    cause: str | None
    detail: str | None


@dataclass(frozen=True)
class SiteGates(Record):
    """The gates of a site's replay check over a stack.

    `absent_urls` (in the file `absent`) has the URLs of needed requests without an answer.
    """

    stack: str
    absent_urls: tuple[str, ...]
    painted_share: float
    similarity: float | None
    passed: tuple[bool, ...]

    def as_json(self) -> dict[str, object]:
        value = super().as_json()
        urls = value.pop("absent_urls")
        return {**value, "absent": urls}


@dataclass(frozen=True)
class SiteOutcome(Record):
    """A site in a cache mode, as `eyelevel compare` judges it; null where it has no take yet.

    `takes_that_differ` are takes that differ in content from most takes of the site. `missed_beyond_check` has, by
    take, the missed URLs that its page needs and that its replay check had.
    """

    site: str
    cache: str
    servers_by: str | None
    exact: int | None
    equivalent: int | None
    inexact: int | None
    missed: int | None
    exact_share: float | None
    exact_share_by_stack: Mapping[str, float | None]
    scenes: int
    scenes_that_differ: tuple[str, ...]
    gates: tuple[SiteGates, ...]
    in_comparison: bool | None
    reason: str | None
    takes_that_differ: tuple[str, ...]
    missed_beyond_check: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class CaptureReport(Record):
    """`differences` has the tests of the void and of the censored rates; None where they cannot be tested."""

    CONTRACT: ClassVar[str] = "eyelevel/capture-report/1"

    campaign: str
    runs: int
    taken: int
    stacks: tuple[ArmOutcome, ...]
    networks: tuple[ArmOutcome, ...]
    differences: Mapping[str, Difference | None]
    without_take: tuple[MissingRun, ...]
    sites: tuple[SiteOutcome, ...]
