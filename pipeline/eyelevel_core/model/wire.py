"""A wire report: what the testbed sent, received and measured during one run. Contract wire.1.

The records have the fields that Python code reads; other fields are kept in `more`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from eyelevel_core.model.record import Record, left_out_at_default
from eyelevel_core.model.take import Definition


@dataclass(frozen=True)
class RecordingName(Record):
    """`digest` is the SHA-256 of the WARC."""

    digest: str


@dataclass(frozen=True)
class LinkSeries(Record):
    """A direction over time, in intervals since `begun_unix_ms` (milliseconds since 1970). Bytes are IP bytes.

    `packets` and `bytes` count what entered the link, `forwarded_packets` and `forwarded_bytes` what left it.
    """

    interval_ms: int
    begun_unix_ms: int
    packets: tuple[int, ...]
    bytes: tuple[int, ...]
    forwarded_packets: tuple[int, ...]
    forwarded_bytes: tuple[int, ...]


@dataclass(frozen=True)
class LinkCounters(Record):
    """One direction of the emulated link; `drops_emulation` and `oversized` are faults of the emulation.

    `packets` and `bytes` count what entered the link, including what its queue or the network's loss then dropped.
    `series` is None where the run did not record it.
    """

    forwarded_bytes: int
    drops_emulation: int
    oversized: int
    packets: int | None = left_out_at_default(None)
    bytes: int | None = left_out_at_default(None)
    drops_queue: int | None = left_out_at_default(None)
    drops_loss: int | None = left_out_at_default(None)
    series: LinkSeries | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field


@dataclass(frozen=True)
class Link(Record):
    """Both directions of the emulated link; `down` is towards the browser."""

    down: LinkCounters
    up: LinkCounters


@dataclass(frozen=True)
class ConnectionSeries(Record):
    """A connection in samples, one each `interval_ms` since `begun_unix_ms` (milliseconds since 1970).

    `window_packets` are full packets. `lost_packets` counts those so far that TCP sent again or QUIC declared lost.
    """

    interval_ms: int
    begun_unix_ms: int
    window_packets: tuple[float, ...]
    lost_packets: tuple[int, ...]
    timeouts: tuple[int, ...]


@dataclass(frozen=True)
class ConnectionEnd(Record):
    """The transport's state when a connection ended: `transport` is tcp or quic; None: not reported by this transport.

    `timeouts` are retransmission timeouts of TCP, and losses of everything that QUIC sent over several probe timeouts.
    """

    transport: str
    rtt_ms: float | None = None
    timeouts: int | None = None
    cwnd_packets: int | None = None
    retransmitted_packets: int | None = None
    cwnd_bytes: int | None = None
    mtu_bytes: int | None = None
    lost_packets: int | None = None
    spurious_congestion_events: int | None = None

    @property
    def repeated_packets(self) -> int | None:
        """Packets that TCP sent again, or that QUIC declared lost."""
        return self.lost_packets if self.retransmitted_packets is None else self.retransmitted_packets

    @property
    def window_packets(self) -> float | None:
        """The congestion window in full packets, for both transports."""
        if self.cwnd_bytes is not None and self.mtu_bytes:
            return self.cwnd_bytes / self.mtu_bytes
        return self.cwnd_packets


@dataclass(frozen=True)
class Connection(Record):
    """A connection as its server saw it: `address` is the server's, with its port.

    `resumed`: it resumed a TLS session; None where that is unknown. `at_close` is None where the transport reported
    nothing, `series` where the run did not record it.
    """

    address: str
    requests: int
    body_bytes_sent: int
    resumed: bool | None = None
    at_close: ConnectionEnd | None = None
    series: ConnectionSeries | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field


@dataclass(frozen=True)
class ServedRequest(Record):
    """A request with its server's answer.

    `kind` says how it matched: exact, equivalent, inexact, miss or preflight. `matched_url` is that of the recorded
    response. It, `status` and `body_bytes` are None for a request that no server saw, whose host replay does not serve.
    """

    url: str
    method: str
    matched_url: str | None
    status: int | None
    body_bytes: int | None
    kind: str


@dataclass(frozen=True)
class Flow(Record):
    """Packets between two ports, as the emulation saw them: `transport` is tcp, quic or udp.

    `begun_ms` is 0 for a flow whose first packet was lost. `handshake_round_trips` and `handshake_packets`, which the
    server sent, count until the client's first packet of application data; None where that is unknown.
    """

    transport: str
    begun_ms: float
    handshake_round_trips: int | None = None
    handshake_packets: int | None = None


@dataclass(frozen=True)
class ServerReport(Record):
    """The servers' part. `requests` are in order of arrival.

    `origins` has every `host:port` that was served. `protocols` counts responses by the protocol that they went over,
    such as h3.
    """

    start_url: str
    grouping: str
    requests: tuple[ServedRequest, ...]
    connections: tuple[Connection, ...]
    origins: tuple[str, ...]
    protocols: Mapping[str, int] | None = left_out_at_default(None)


@dataclass(frozen=True)
class WireReport(Record):
    """A wire report; `server` is None where the servers left none.

    `contradictions` are sentences about measurements that contradict the stack's definition. `volatile_sha256` is the
    digest of the file of volatile parameters; None where none was given. `earlier` counts connections and requests of
    an earlier visit of the same browser, which `server` omits; None where there was none.
    """

    CONTRACT: ClassVar[str] = "eyelevel/wire/1"

    testbed_version: str
    recording: RecordingName
    stack: Definition
    network: Definition
    scheduler: str
    seed: int
    link: Link
    server: ServerReport | None
    contradictions: tuple[str, ...]
    notes: tuple[str, ...] = ()
    volatile_sha256: str | None = None
    flows: tuple[Flow, ...] = ()
    earlier: Mapping[str, int] | None = left_out_at_default(None)
