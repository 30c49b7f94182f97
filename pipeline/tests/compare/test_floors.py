"""The floor has the error of the films' alignment, for visual metrics, and the cost of filming, for all."""

import pytest

from eyelevel.compare.floors import Floor

from .conftest import Compared
from .made import Plan


@pytest.mark.parametrize(
    ("metric", "alignment_ms", "floor_ms"),
    [("si", 12.0, 32.0), ("plt", 12.0, 20.0), ("si", None, None), ("plt", None, 20.0)],
)
def test_filming_costs_a_share_of_the_time(metric: str, alignment_ms: float | None, floor_ms: float | None) -> None:
    assert Floor(alignment_ms, 0.02).ms(metric, 1000.0) == (None if floor_ms is None else pytest.approx(floor_ms))


def test_without_a_time_of_the_reference_the_floor_is_unknown() -> None:
    assert Floor(12.0, 0.02).ms("plt", None) is None


def test_a_gain_that_filming_may_cause_is_not_claimed(compared: Compared) -> None:
    """Every run of QUIC is 2 % faster, and hardly any varies; filming may slow one stack by 2.8 % more."""
    plan = Plan(sites=("alpha", "beta", "gamma"), runs=10, log_gain={"QUIC": -0.02}, run_sd=0.002, site_sd=0.0005)
    rows = {row.metric: row for row in compared(plan).overall}
    assert rows["plt"].decided
    assert rows["plt"].under_floor
    assert {row.metric: row.readable for row in compared(plan, film_cost=0.001).overall}["plt"]
