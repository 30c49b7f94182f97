"""The machine's share of a metric's spread: estimate, exact interval, and the rule that leaves machines out."""

import numpy as np
import pytest
import statsmodels.api as sm

from eyelevel_stats.arms.machines import Seen, left_out, machine_share


def drawn(
    rng: np.random.Generator, *, effects: list[float], sd: float = 1.0, conditions: int = 6, runs: int = 8
) -> list[Seen]:
    """Takes of each condition on machines by chance, so that none has as many as another."""
    levels = rng.normal(8.0, 2.0, conditions)
    found = []
    for condition in range(conditions):
        for machine in rng.integers(len(effects), size=runs * len(effects)):
            value = levels[condition] + effects[machine] + rng.normal(0, sd)
            found.append(Seen(float(value), condition, f"m{machine}"))
    return found


def test_the_estimate_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(7)
    for _ in range(5):
        seen = drawn(rng, effects=list(rng.normal(0, 0.7, 6)))
        found = machine_share(seen)
        assert found is not None
        exog = np.array([[float(observation.condition == number) for number in range(6)] for observation in seen])
        model = sm.MixedLM(
            [observation.value for observation in seen], exog, groups=[observation.machine for observation in seen]
        )
        fitted = model.fit(reml=True)
        between, within = float(fitted.cov_re[0, 0]), float(fitted.scale)
        assert found.share == pytest.approx(between / (between + within), rel=1e-3)
        assert found.low < found.share < found.high


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_the_interval_covers_the_share_as_often_as_it_says(share: float) -> None:
    rng, covered, draws = np.random.default_rng(11), 0, 400
    for _ in range(draws):
        effects = rng.normal(0, np.sqrt(share / (1 - share)) if share else 0.0, 4)
        found = machine_share(drawn(rng, effects=list(effects), conditions=3, runs=4))
        assert found is not None
        covered += found.low <= share <= found.high
    # four standard errors of 0.95; at 0 only the lower end can miss, which is half as often
    expected = 0.975 if share == 0 else 0.95
    assert covered / draws == pytest.approx(expected, abs=4 * np.sqrt(0.05 * 0.95 / draws))


def test_machines_of_one_kind_are_all_kept_and_a_slow_one_goes() -> None:
    rng = np.random.default_rng(5)
    assert left_out({"si": drawn(rng, effects=[0.0, 0.0, 0.0, 0.0])}, most=0.1) == []
    seen = drawn(rng, effects=[0.0, 0.05, -0.05, 3.0], sd=0.3, runs=20)
    assert left_out({"si": seen}, most=0.1) == ["m3"]
    kept = [observation for observation in seen if observation.machine != "m3"]
    found = machine_share(kept)
    assert found is not None
    assert found.low < 0.1


def test_of_two_machines_the_one_with_fewer_takes_goes() -> None:
    rng = np.random.default_rng(3)
    seen = [
        Seen(8.0 + 2.0 * (machine == "b") + rng.normal(0, 0.1), condition, machine)
        for condition in range(4)
        for machine, runs in (("a", 10), ("b", 6))
        for _ in range(runs)
    ]
    # one difference says little of a variance, and this one is large
    assert left_out({"si": seen}, most=0.1) == ["b"]


def test_metrics_that_point_at_different_machines_leave_one() -> None:
    rng = np.random.default_rng(9)

    def of(effects: dict[str, float]) -> list[Seen]:
        runs = {"a": 9, "b": 4, "c": 6}
        return [
            Seen(8.0 + effect + rng.normal(0, 0.02), condition, machine)
            for condition in range(4)
            for machine, effect in effects.items()
            for _ in range(runs[machine])
        ]

    seen = {"si": of({"a": 1.0, "b": 0.0, "c": -0.3}), "plt": of({"a": 0.3, "b": 0.0, "c": -1.0})}
    # each metric by itself would keep one machine, and not the same one
    assert left_out({"si": seen["si"]}, most=0.0) == ["a", "b"]
    assert left_out({"plt": seen["plt"]}, most=0.0) == ["c", "b"]
    assert len(left_out(seen, most=0.0)) == 2


def test_effects_are_differences_from_the_median_machine() -> None:
    seen = [
        Seen(level + effect + wiggle, level, machine)
        for level in (5.0, 9.0)
        for machine, effect in (("a", 0.0), ("b", 1.0), ("c", -0.5))
        for wiggle in (-0.1, 0.1)
    ]
    found = machine_share(seen)
    assert found is not None
    assert found.effects == pytest.approx({"a": 0.0, "b": 1.0, "c": -0.5})


def test_without_a_condition_that_two_machines_filmed_nothing_is_said() -> None:
    alone = [Seen(float(number), machine, machine) for machine in "ab" for number in range(4)]
    assert machine_share(alone) is None
    assert machine_share([]) is None
    assert machine_share([Seen(1.0, "x", "a"), Seen(2.0, "x", "b")]) is None
    assert left_out({"si": alone, "plt": []}, most=0.0) == []
