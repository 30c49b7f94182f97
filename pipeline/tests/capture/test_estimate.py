"""Hours and disk of a campaign: from takes that are there, network by network, else from the model."""

from eyelevel.capture.estimate import MODEL_BYTES, MODEL_S, Seen, estimate
from tests.capture import fake

VISITS = {"cold": 1, "warm": 2}


def test_without_takes_the_model_speaks() -> None:
    runs = fake.runs()
    expected = estimate(runs, [], visits=VISITS)
    assert (expected.left_s, expected.size_bytes) == (len(runs) * MODEL_S, len(runs) * MODEL_BYTES)
    assert expected.takes == 0


def test_takes_speak_for_their_network_and_for_networks_without() -> None:
    dsl, mss = (next(run for run in fake.runs() if run.network == network) for network in ("DSL", "MSS"))
    seen = [Seen("DSL", 6.0, 1000), Seen("DSL", 8.0, 3000), Seen("LTE", 20.0, 8000), Seen("LTE", None, 8000)]
    expected = estimate([dsl, mss], seen, visits=VISITS)
    assert expected.left_s == 7.0 + 34 / 3
    assert expected.size_bytes == 2000 + 5000
    assert expected.takes == 4


def test_a_warm_run_loads_the_page_twice() -> None:
    warm = fake.runs(cache=["warm"])
    assert estimate(warm, [Seen("DSL", 5.0, 1), Seen("MSS", 5.0, 1)], visits=VISITS).left_s == len(warm) * 10
