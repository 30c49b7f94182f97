"""Hours and disk of a campaign: from takes that are there, network by network, else from the model."""

import pytest

from eyelevel.capture.estimate import MODEL_S, Estimate, Seen, estimate
from eyelevel_core.model.run import Run
from tests.capture import fake


def expected(runs: list[Run], seen: list[Seen]) -> Estimate:
    return estimate(runs, seen, visits={"cold": 1, "http": 2}, recordings=dict.fromkeys(fake.SITES, 1_000_000))


def on(network: str, **changes: list[str]) -> Run:
    return next(run for run in fake.runs(**changes) if run.network == network)


def test_without_takes_the_model_speaks_and_a_slow_network_takes_its_time() -> None:
    quick, slow = expected([on("DSL")], []), expected([on("MSS")], [])
    assert quick.left_s == pytest.approx(MODEL_S + 1.6)
    assert slow.left_s == pytest.approx(MODEL_S + 40)
    assert slow.size_bytes == pytest.approx(1_500_000 + 40 * 60_000)
    assert quick.takes == 0


def test_takes_speak_for_their_network_and_the_model_for_the_others() -> None:
    seen = [Seen("DSL", 6.0, 1000), Seen("DSL", 8.0, 3000), Seen("LTE", 20.0, 8000), Seen("LTE", None, 8000)]
    assert expected([on("DSL")], seen) == Estimate(7.0, 2000, 4)
    assert expected([on("MSS")], seen).left_s == expected([on("MSS")], []).left_s


def test_a_second_visit_has_a_first_visit_more() -> None:
    seen = [Seen("DSL", 5.0, 1)]
    assert expected([on("DSL", cache=["http"])], seen).left_s == 5.0 + MODEL_S
