"""Networks above the fastest one with parity are named; those up to it, and those of unknown rate, are not."""

import pytest

from eyelevel_core.comparability.parity import FASTEST_MBPS, beyond_parity, downlink_mbps


@pytest.mark.parametrize("mbps", [0.468, 25.0, FASTEST_MBPS])
def test_up_to_the_fastest_network_nothing_is_said(mbps: float) -> None:
    assert beyond_parity("lab", {"down_mbps": mbps, "up_mbps": 1000.0}) is None


@pytest.mark.parametrize(
    ("definition", "rate"),
    [
        ({"down_mbps": FASTEST_MBPS + 0.5}, f"{FASTEST_MBPS + 0.5:g} Mbit/s"),
        ({"down_mbps": "unlimited"}, "unlimited"),
        ({"down_trace": {"sha256": "ab" * 32, "period_ms": 1000, "opportunities": 100_000}}, "1200 Mbit/s"),
    ],
)
def test_a_faster_network_is_named_with_its_rate_and_the_bound(definition: dict[str, object], rate: str) -> None:
    sentence = beyond_parity("lab", definition)
    assert sentence is not None
    assert sentence.startswith(f"The downlink of lab is {rate}, ")
    assert f"only up to {FASTEST_MBPS:g} Mbit/s" in sentence


def test_a_trace_counts_with_its_mean_rate() -> None:
    # 6 chances to send 1500 bytes in 4 ms: 18 Mbit/s, as the testbed computes it
    trace = {"sha256": "ab" * 32, "period_ms": 4, "opportunities": 6}
    assert downlink_mbps({"down_trace": trace}) == 18.0
    assert beyond_parity("train", {"down_trace": trace}) is None


def test_an_unknown_rate_is_no_verdict() -> None:
    assert downlink_mbps({}) is None
    assert beyond_parity("lab", {}) is None
