"""Server parity: the fastest network on which the servers of all stacks send equally fast. Pure."""

from collections.abc import Mapping
from math import inf

from eyelevel_core.model.network import number

FASTEST_MBPS = 100.0
"""The fastest downlink at which paired downloads of 1 and 10 MB over QUIC and TCP+ were seen to agree within 10 %.

Source: docs/developers/measurements.md, section "Server parity".
"""

MTU_BYTES = 1500
"""IP bytes that one line of a Mahimahi trace may carry (docs/explanation/networks.md)."""


def downlink_mbps(definition: Mapping[str, object]) -> float | None:
    """Returns the rate towards the browser, or a trace's mean; infinite without a limit, None if it is not defined."""
    trace = definition.get("down_trace")
    if isinstance(trace, Mapping):
        return float(trace["opportunities"]) * MTU_BYTES * 8 / float(trace["period_ms"]) / 1e3
    return inf if definition.get("down_mbps") == "unlimited" else number(definition, "down_mbps")


def beyond_parity(name: str, definition: Mapping[str, object]) -> str | None:
    """Returns a warning if the network is faster than `FASTEST_MBPS`; None if it is not, or its rate is unknown."""
    mbps = downlink_mbps(definition)
    if mbps is None or mbps <= FASTEST_MBPS:
        return None
    rate = "unlimited" if mbps == inf else f"{mbps:g} Mbit/s"
    return (
        f"The downlink of {name} is {rate}, but parity of the servers is measured only up to {FASTEST_MBPS:g} Mbit/s: "
        "differences between stacks on it may come from the servers and the emulation "
        "(docs/developers/measurements.md, Server parity)."
    )
