"""The choice of a mapping is by left-out sites, and its error counts the choice itself."""

import numpy as np
import pytest

from eyelevel_stats.prediction.choice import Point, chosen, loso_error, model_rows, nested_error
from eyelevel_stats.prediction.mapping import Model


def points(seed: int, *, sites: int, each: int, noise: float, decay: float | None = None) -> list[Point]:
    """MOS that fall with the logarithm of the metric, or by an exponential of rate `decay`."""
    rng = np.random.default_rng(seed)
    found = []
    for site in range(sites):
        for metric in rng.uniform(500, 8000, each):
            mos = 14 - 1.4 * np.log(metric) if decay is None else 1.5 + 5.5 * np.exp(-decay * metric)
            found.append(Point(f"s{site}", float(metric), float(mos + rng.normal(0, noise)), int(rng.integers(10, 30))))
    return found


def test_the_form_that_made_the_data_is_chosen() -> None:
    for decay, best in ((None, "wql"), (0.0006, "iqx")):
        rows = model_rows("DSL", "si_ms", points(1, sites=12, each=4, noise=0.1, decay=decay))
        assert [row.model for row in rows if row.chosen] == [best]
        assert [row.model for row in rows] == ["linear", "wql", "iqx", "logistic"]
        assert {(row.network, row.metric, row.clips, row.sites) for row in rows} == {("DSL", "si_ms", 48, 12)}


def test_the_error_is_that_of_clips_of_the_left_out_site() -> None:
    data = points(2, sites=6, each=3, noise=0.5)
    squares = votes = 0.0
    # brute force with numpy's lines
    for site in {point.site for point in data}:
        rest = [point for point in data if point.site != site]
        line = np.polyfit(
            [np.log(point.metric) for point in rest],
            [point.mos for point in rest],
            1,
            w=[point.votes**0.5 for point in rest],
        )
        for point in data:
            if point.site == site:
                guess = float(np.clip(np.polyval(line, np.log(point.metric)), 1, 7))
                squares += point.votes * (point.mos - guess) ** 2
                votes += point.votes
    assert loso_error(Model.WQL, data) == pytest.approx((squares / votes) ** 0.5, rel=1e-9)


def test_the_nested_error_chooses_again_without_the_left_out_site() -> None:
    data = points(3, sites=6, each=2, noise=0.8)
    squares = votes = 0.0
    for site in {point.site for point in data}:
        mapping = chosen([point for point in data if point.site != site])
        assert mapping is not None
        for point in data:
            if point.site == site:
                squares += point.votes * (point.mos - mapping.mos(np.array([point.metric]))[0]) ** 2
                votes += point.votes
    found = nested_error(data)
    assert found == pytest.approx((squares / votes) ** 0.5, rel=1e-9)
    rows = model_rows("DSL", "si_ms", data)
    assert {row.rmse_nested for row in rows} == {found}
    # the error of the best one is too good for a choice that was made by it
    least = min(row.rmse_loso for row in rows if row.rmse_loso is not None)
    assert found is not None
    assert found > least


def test_the_error_of_the_fit_is_less_than_that_of_left_out_sites() -> None:
    for row in model_rows("DSL", "si_ms", points(4, sites=8, each=2, noise=0.4)):
        assert row.rmse is not None
        assert row.rmse_loso is not None
        assert row.rmse < row.rmse_loso


def test_a_metric_of_0_leaves_out_the_logarithm_alone() -> None:
    data = points(5, sites=6, each=3, noise=0.1)
    data[0] = data[0]._replace(metric=0.0, mos=7.0)
    rows = {row.model: row for row in model_rows("DSL", "cls", data)}
    assert (rows["wql"].a, rows["wql"].rmse, rows["wql"].rmse_loso, rows["wql"].chosen) == (None, None, None, False)
    assert sum(row.chosen for row in rows.values()) == 1


def test_nothing_is_said_under_10_clips_or_5_sites() -> None:
    assert model_rows("DSL", "si_ms", points(6, sites=9, each=1, noise=0.1)) == []
    assert model_rows("DSL", "si_ms", points(6, sites=4, each=5, noise=0.1)) == []
    assert len(model_rows("DSL", "si_ms", points(6, sites=5, each=2, noise=0.1))) == 4


def test_a_constant_metric_has_no_mapping() -> None:
    data = [point._replace(metric=5.0) for point in points(7, sites=6, each=2, noise=0.1)]
    assert chosen(data) is None
    assert {(row.a, row.chosen, row.rmse_nested) for row in model_rows("DSL", "si_ms", data)} == {(None, False, None)}
