"""Properties of a network that follow from its definition, as the testbed prints it. Pure."""

from collections.abc import Mapping


def number(definition: Mapping[str, object], name: str) -> float | None:
    """Returns a number of a definition; None if it has none of this name."""
    value = definition.get(name)
    return float(value) if isinstance(value, int | float) else None


def round_trip_ms(definition: Mapping[str, object]) -> float | None:
    """Returns the shortest round trip of a small packet: as defined, or the sum of both directions' delays.

    None if the definition has neither.
    """
    rtt = number(definition, "rtt_ms")
    up, down = number(definition, "delay_up_ms"), number(definition, "delay_down_ms")
    if rtt is not None:
        return rtt
    return None if up is None or down is None else up + down
