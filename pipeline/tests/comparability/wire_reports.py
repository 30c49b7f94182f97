"""A real wire report, as tests of captures and of comparability change it."""

import json
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample-batch" / "takes" / "garden" / "DSL"


def report(stack: str) -> dict[str, Any]:
    """A real report from before the wire was measured, with what was measured since of such a run beside it."""
    value: dict[str, Any] = json.loads((SAMPLE / stack / "run-01" / "wire.json").read_text())
    tcp = stack.startswith("TCP")
    sizes = [4096, 1048576, 16777216]
    settings = {
        "transport": ["tcp" if tcp else "quic"],
        "alpn": ["h2" if tcp else "h3"],
        "tls": ["TLSv1_3"],
        "handshake_round_trips": [2 if tcp else 1],
        "early_data": False,
        "resumption": [False],
        "initial_window_packets": [32],
        "congestion_control": ["cubic"],
        "pacing": [True],
        "send_buffer_bytes": [1048576 if tcp else 212992],
        "receive_buffer_bytes": [1048576 if tcp else 212992],
        "kernel": {"slow_start_after_idle": False, "tcp_wmem_bytes": sizes, "tcp_rmem_bytes": sizes} if tcp else None,
    }
    outcomes = {
        "connections": 1,
        "connections_used": 1,
        "first_flight": {"packets": 31, "bytes": 44888, "spread_ms": 9.0, "burst_packets": 9},
        "retransmitted_packets": 0,
        "drops_queue": 0,
        "drops_loss": 0,
    }
    return {**value, "wire": {"settings": settings, "outcomes": outcomes}, "flows": [], "contradictions": []}
