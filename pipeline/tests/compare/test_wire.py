"""What a take's connections did is summed over all of them; the window is that of the one that sent most."""

from typing import Any

from eyelevel.compare.traffic import evidence
from eyelevel_core.model.wire import Connection, ConnectionEnd, Flow

TCP = {
    "transport": "tcp", "retransmitted_packets": 4, "timeouts": 1, "cwnd_packets": 12, "rtt_ms": 30.5,
}  # fmt: skip
QUIC = {
    "transport": "quic", "lost_packets": 7, "timeouts": 0, "spurious_congestion_events": 2, "cwnd_bytes": 14720,
    "mtu_bytes": 1472, "rtt_ms": 29.0,
}  # fmt: skip


def connection(body_bytes: int, at_close: dict[str, Any] | None, requests: int = 1) -> Connection:
    return Connection(
        "198.18.0.1:443", requests, body_bytes, at_close=None if at_close is None else ConnectionEnd.of(at_close)
    )


def flow(round_trips: int | None, packets: int | None, transport: str = "quic") -> Flow:
    return Flow(transport, 0.0, round_trips, packets)


def test_counts_are_sums_and_the_window_is_that_of_the_connection_that_sent_most() -> None:
    found = evidence([flow(1, 5), flow(2, 9)], [connection(10, QUIC), connection(90, {**QUIC, "cwnd_bytes": 2944})])
    assert (found.connections, found.handshake_packets, found.most_round_trips) == (2, 14, 2)
    assert (found.repeated_packets, found.timeouts, found.undone) == (14, 0, 4)
    assert (found.window_packets, found.rtt_ms) == (2.0, 29.0)


def test_tcp_counts_its_window_in_packets_and_takes_nothing_back() -> None:
    found = evidence([flow(2, 6, "tcp")], [connection(10, TCP)])
    assert (found.repeated_packets, found.timeouts, found.undone) == (4, 1, None)
    assert (found.window_packets, found.rtt_ms) == (12.0, 30.5)


def test_connections_without_a_request_and_other_packets_do_not_count() -> None:
    found = evidence([flow(None, 3), flow(None, 2, "udp")], [connection(0, TCP, requests=0)])
    assert (found.connections, found.handshake_packets, found.most_round_trips) == (0, 3, None)
    assert (found.repeated_packets, found.window_packets) == (None, None)


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    before = {name: value for name, value in TCP.items() if name != "timeouts"}
    found = evidence([flow(2, 6, "tcp"), flow(2, None, "tcp")], [connection(10, TCP), connection(5, before)])
    assert (found.handshake_packets, found.repeated_packets, found.timeouts) == (None, 8, None)
    assert evidence([], [connection(10, None)]).repeated_packets is None
