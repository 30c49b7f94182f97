"""The round trip of a network follows from its definition, whichever of the two forms it has."""

import pytest

from eyelevel_core.model.network import round_trip_ms


@pytest.mark.parametrize(
    ("definition", "ms"),
    [
        ({"rtt_ms": 24.0}, 24.0),
        ({"rtt_ms": 0}, 0.0),
        ({"delay_up_ms": 10, "delay_down_ms": 310}, 320.0),
        ({"delay_up_ms": 0, "delay_down_ms": 0}, 0.0),
        ({"delay_down_ms": 310}, None),
        ({"up_mbps": 1}, None),
    ],
)
def test_the_round_trip_is_as_defined_or_the_sum_of_both_delays(definition: dict[str, float], ms: float | None) -> None:
    assert round_trip_ms(definition) == ms
