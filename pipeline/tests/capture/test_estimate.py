"""Hours and disk of a campaign: from takes that are there, network by network, else from the model."""

import pytest

from eyelevel.capture.planning.estimate import MODEL_S, Estimate, Seen, estimate
from eyelevel_core.model.run import Run
from tests.capture import fake


def expected(runs: list[Run], seen: list[Seen]) -> Estimate:
    return estimate(runs, seen, recordings=dict.fromkeys(fake.SITES, 1_000_000))


def on(network: str, **changes: list[str]) -> Run:
    return next(run for run in fake.runs(**changes) if run.network == network)


def test_without_takes_the_model_speaks_and_a_slow_network_takes_its_time() -> None:
    quick, slow = expected([on("DSL")], []), expected([on("MSS")], [])
    assert quick.left_s == pytest.approx(MODEL_S + 1.6)
    assert slow.left_s == pytest.approx(MODEL_S + 40)
    assert slow.size_bytes == pytest.approx(1_500_000 + 40 * 60_000)
    assert quick.takes == 0


def test_takes_speak_for_their_network_and_the_model_for_the_others() -> None:
    seen = [
        Seen("DSL", "cold", 6.0, 1000), Seen("DSL", "cold", 8.0, 3000), Seen("LTE", "cold", 20.0, 8000),
        Seen("LTE", "cold", None, 8000),
    ]  # fmt: skip
    assert expected([on("DSL")], seen) == Estimate(7.0, 2000, 4)
    assert expected([on("MSS")], seen).left_s == expected([on("MSS")], []).left_s


@pytest.mark.parametrize(("cache", "first_s"), [("http", 1.6), ("altsvc", 1.6), ("all", 40.0)])
def test_a_second_visit_has_a_first_visit_over_dsl_or_its_own_network_before_it(cache: str, first_s: float) -> None:
    by_model = expected([on("MSS", cache=[cache])], [])
    assert by_model.left_s == pytest.approx((MODEL_S + 40) + (MODEL_S + first_s))
    known = expected([on("MSS", cache=[cache])], [Seen("MSS", "cold", 30.0, 7)])
    assert known.left_s == pytest.approx(30.0 + MODEL_S + first_s)
    assert known.size_bytes == 7


def test_takes_of_a_cache_mode_have_their_first_visits_in_them_and_speak_for_that_mode_alone() -> None:
    seen = [Seen("DSL", "cold", 5.0, 1000), Seen("DSL", "http", 17.0, 400)]
    assert expected([on("DSL", cache=["http"])], seen) == Estimate(17.0, 400, 2)
    assert expected([on("DSL")], seen) == Estimate(5.0, 1000, 2)
