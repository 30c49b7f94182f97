"""What follows from the definition of a network, as the testbed prints it. Pure."""

from collections.abc import Mapping
from typing import Any


def round_trip_ms(definition: Mapping[str, Any]) -> float | None:
    """The least round trip of a small packet: as defined, or the sum of both directions' delays.

    None where the definition has neither.
    """
    if definition.get("rtt_ms") is not None:
        return float(definition["rtt_ms"])
    up, down = definition.get("delay_up_ms"), definition.get("delay_down_ms")
    return None if up is None or down is None else float(up) + float(down)
