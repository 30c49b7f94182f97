"""What a batch says, as plain values. Unknown is None."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel_core.comparability.model import Fidelity, Findings


@dataclass(frozen=True)
class Traffic:
    """What the wire report counted for one take."""

    body_bytes: int | None
    link_down_bytes: int | None
    servers: int | None
    requests: int | None


@dataclass(frozen=True)
class Load:
    """One take: a valid attempt at loading a page. Metrics by name in ms since navigation start."""

    path: str
    digest: str
    site: str
    recording: str
    network: str
    stack: str
    cache: str
    run: int
    settled: bool
    metrics: Mapping[str, float | None]
    fidelity: Fidelity
    traffic: Traffic
    frame_rate: float
    lost_frames: int | None
    zero_error_ms: float | None
    clock_error_ms: float | None
    tools: Mapping[str, str | None]


@dataclass(frozen=True)
class Attempt:
    """One line of attempts.jsonl."""

    site: str
    network: str
    stack: str
    cache: str
    void: bool
    cause: str | None


@dataclass(frozen=True)
class Campaign:
    """The part of campaign.toml that a comparison needs.

    `limits_ms` is by network; `pairs` are (reference, new), as the clips show them.
    """

    name: str
    seed: int
    runs: int
    caches: tuple[str, ...]
    limits_ms: Mapping[str, float]
    min_exact: float
    paired: bool
    pairs: tuple[tuple[str, str], ...]
    sites: tuple[str, ...]
    networks: tuple[str, ...]
    stacks: tuple[str, ...]


@dataclass(frozen=True)
class Batch:
    """Everything read.

    `attempts` is None where the batch has no ledger, `findings` where it has no fidelity.json, `digest` where its
    manifest is not of these takes.
    """

    campaign: Campaign
    digest: str | None
    takes_digest: str
    loads: Sequence[Load]
    attempts: Sequence[Attempt] | None
    findings: Findings | None
    networks: Mapping[str, Mapping[str, Any]]
    stacks: Mapping[str, Mapping[str, Any]]
    remarks: Sequence[str] = ()


@dataclass(frozen=True, order=True)
class Pair:
    """The question of a comparison: is `new` faster than `reference`?"""

    new: str
    reference: str

    def __str__(self) -> str:
        return f"{self.new} against {self.reference}"
