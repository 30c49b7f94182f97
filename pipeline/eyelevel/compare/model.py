"""The input of a comparison, as plain values. None means unknown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eyelevel_core.comparability.model import Findings
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.device import DESKTOP, Device
from eyelevel_core.model.machine import Machine
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.take import Definition, Fidelity, Motion, Pressure


@dataclass(frozen=True)
class Sent:
    """Packets and IP bytes sent in one direction of the link, and packets that its queue and its loss dropped."""

    packets: int | None
    bytes: int | None
    queue_drops: int | None = None
    losses: int | None = None


@dataclass(frozen=True)
class Evidence:
    """Counters of a take's connections, from their servers and the emulation. None means unknown.

    `repeated_packets` are those that TCP retransmitted, or that QUIC declared lost. `timeouts` are retransmission
    timeouts of TCP, and persistent congestion of QUIC. `undone` are reactions to losses that QUIC reverted, because
    everything had arrived. Window and round-trip time are those at the end of the connection that sent most.
    """

    connections: int
    handshake_packets: int | None = None
    most_round_trips: int | None = None
    repeated_packets: int | None = None
    timeouts: int | None = None
    undone: int | None = None
    window_packets: float | None = None
    rtt_ms: float | None = None


@dataclass(frozen=True)
class Traffic:
    """The counts of one take's wire report; `protocols` are responses by protocol, such as h3."""

    body_bytes: int | None
    link_down_bytes: int | None
    servers: int | None
    requests: int | None
    protocols: Mapping[str, int] | None = None
    down: Sent | None = None
    up: Sent | None = None
    evidence: Evidence | None = None

    @property
    def h3_share(self) -> float | None:
        """Responses over HTTP/3 as a share of all responses, 0 to 1; None if the report does not count them."""
        total = sum((self.protocols or {}).values())
        return (self.protocols or {}).get("h3", 0) / total if total else None


@dataclass(frozen=True)
class Load:
    """One take: a valid attempt at loading a page. Metrics by name in ms since navigation start.

    `servers_by` is the rule by which the site's hosts share server addresses; None if unknown. `page_seed` is the seed
    of the page's random numbers; `mask_digest` and `volatile_digest` are those of its motion mask and its volatile
    parameters, or None without one. `phases_ms` has the page's time by phase of its requests (compare.phases); None if
    it was not read. `next_began_ms` is when the page had nearly settled and the next run began; None if none began.
    """

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
    lost_changes: int | None
    unquiet_frames: int | None
    late_ms: float | None
    zero_error_ms: float | None
    clock_error_ms: float | None
    tools: Mapping[str, str | None]
    servers_by: str | None = None
    page_seed: int | None = None
    mask_digest: str | None = None
    volatile_digest: str | None = None
    pressure: Pressure | None = None
    next_began_ms: float | None = None
    motion: Motion | None = None
    phases_ms: Mapping[str, float | None] | None = None
    device: Device = DESKTOP
    machine: Machine | None = None

    @property
    def processor_ms(self) -> float | None:
        """Processor time of the run until the page had nearly settled, in ms over the number of processors.

        Approximately: the share begins some milliseconds before navigation start.
        """
        share = None if self.pressure is None else self.pressure.run_share
        return None if share is None or self.next_began_ms is None else share * self.next_began_ms


@dataclass(frozen=True)
class Batch:
    """The content of one or more batch folders.

    `attempts` is None without attempts.jsonl, `findings` without fidelity.json, and `digest` if the manifest is not of
    these takes. `checks` are the replay checks by site. `campaigns` are those of the merged batches (compare.merging);
    `campaign` then has everything that they name. `sentinels` are takes that each machine filmed once a day; they serve
    only to compare machines.
    """

    campaign: Campaign
    digest: str | None
    takes_digest: str
    loads: Sequence[Load]
    attempts: Sequence[Attempt] | None
    findings: Findings | None
    networks: Mapping[str, Definition]
    stacks: Mapping[str, Definition]
    campaigns: Sequence[Campaign]
    remarks: Sequence[str] = ()
    checks: Mapping[str, ReplayCheck] = field(default_factory=dict)
    sentinels: Sequence[Load] = ()


@dataclass(frozen=True, order=True)
class Pair:
    """The question of a comparison: is `new` faster than `reference`?"""

    new: str
    reference: str

    def __str__(self) -> str:
        return f"{self.new} against {self.reference}"
