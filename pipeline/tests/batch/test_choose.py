"""Of all runs of a setting, the one most like the others is shown, and those at the quantiles."""

import random
from math import log

from hypothesis import given
from hypothesis import strategies as st

from eyelevel.batch.choose import choose

QUARTERS = (0.25, 0.75)


def points(*times_ms: float) -> dict[int, tuple[float, ...]]:
    """Runs 1, 2, ... of which both metrics are one time."""
    return {run: (log(ms), log(ms)) for run, ms in enumerate(times_ms, start=1)}


def test_of_five_runs_the_middle_and_the_quarters() -> None:
    assert choose(points(900, 500, 700, 600, 800), QUARTERS) == {"medoid": 3, "q25": 4, "q75": 5}


def test_the_medoid_is_near_in_all_metrics_not_in_one() -> None:
    # run 2 has the median of the first metric, but is far away in the second
    runs = {1: (1.0, 1.0), 2: (2.0, 9.0), 3: (3.0, 1.2), 4: (1.9, 1.1), 5: (2.2, 1.3)}
    assert choose(runs, QUARTERS)["medoid"] == 4


def test_one_slow_run_does_not_move_the_medoid() -> None:
    assert choose(points(500, 510, 520, 530, 60_000), QUARTERS)["medoid"] == 3


def test_with_three_runs_all_are_shown() -> None:
    assert choose(points(500, 600, 700), QUARTERS) == {"medoid": 2, "q25": 1, "q75": 3}


def test_of_two_runs_alike_the_quicker_is_the_medoid() -> None:
    assert choose(points(700, 500), QUARTERS) == {"medoid": 2, "q75": 1}


def test_with_one_run_it_is_the_medoid_and_without_there_is_none() -> None:
    assert choose(points(700), QUARTERS) == {"medoid": 1}
    assert choose({}, QUARTERS) == {}


def test_thirty_one_runs_give_the_quartiles_of_their_order() -> None:
    times = [500 + 10 * k for k in range(31)]
    random.Random(4).shuffle(times)
    chosen = choose(points(*times), QUARTERS)
    # places 0.25 * 30 = 7.5 and 22.5 of 30; either neighbour is as near, the quicker one is taken
    assert {role: times[run - 1] for role, run in chosen.items()} == {"medoid": 650, "q25": 570, "q75": 720}


@given(st.lists(st.integers(100, 9000), min_size=1, max_size=12), st.randoms())
def test_no_run_is_shown_twice_and_the_order_of_runs_is_no_matter(times: list[int], rng: random.Random) -> None:
    chosen = choose(points(*times), QUARTERS)
    assert len(set(chosen.values())) == len(chosen) == min(3, len(times))
    mixed = list(points(*times).items())
    rng.shuffle(mixed)
    assert choose(dict(mixed), QUARTERS) == chosen
