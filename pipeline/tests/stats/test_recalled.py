"""The recalled statistics of 2019 agree with published examples, with scipy and with statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from eyelevel_core.model.metrics import MetricValues
from eyelevel_stats.observations import Rating
from eyelevel_stats.recalled import score_anova_rows, vote_correlation_rows

# J. H. McDonald, Handbook of Biological Statistics: shells of mussels from five places, as in scipy's f_oneway
MUSSELS = {
    "Tillamook": [0.0571, 0.0813, 0.0831, 0.0976, 0.0817, 0.0859, 0.0735, 0.0659, 0.0923, 0.0836],
    "Newport": [0.0873, 0.0662, 0.0672, 0.0819, 0.0749, 0.0649, 0.0835, 0.0725],
    "Petersburg": [0.0974, 0.1352, 0.0817, 0.1016, 0.0968, 0.1064, 0.105],
    "Magadan": [0.1033, 0.0915, 0.0781, 0.0685, 0.0677, 0.0697, 0.0764, 0.0689],
    "Tvarminne": [0.0703, 0.1026, 0.0956, 0.0973, 0.1039, 0.1045],
}


def rating(stack: str, score: float, *, number: int = 0, network: str = "DSL", clip: str = "c") -> Rating:
    return Rating(f"p{number}", "s", network, stack, "work", clip, score)


def rated(scores: dict[str, list[float]], network: str = "DSL") -> list[Rating]:
    return [
        rating(stack, score, number=number, network=network)
        for stack, given in scores.items()
        for number, score in enumerate(given)
    ]


def clips(si_ms: list[float | None]) -> dict[str, MetricValues]:
    return {f"c{number}": {"si_ms": value} for number, value in enumerate(si_ms)}


def drawn() -> tuple[list[Rating], dict[str, MetricValues]]:
    rng = np.random.default_rng(8)
    si_ms = rng.uniform(500, 5000, 12)
    votes = [
        rating("QUIC", float(np.clip(round(7 - si_ms[number % 12] / 1000 + rng.normal()), 1, 7)), number=number,
               clip=f"c{number % 12}")
        for number in range(200)
    ]  # fmt: skip
    return votes, clips(si_ms.tolist())


def test_the_analysis_of_variance_is_that_of_mcdonalds_mussels() -> None:
    (row,) = score_anova_rows(rated(MUSSELS))
    assert row.f == pytest.approx(7.121019471642447, rel=1e-9)
    assert row.p_value == pytest.approx(0.0002812242314534544, rel=1e-9)
    assert (row.freedom_between, row.freedom_within, row.votes) == (4, 34, 39)
    assert (row.stacks, row.source) == ("Magadan, Newport, Petersburg, Tillamook, Tvarminne", "recalled")


def test_the_analysis_of_variance_is_by_network() -> None:
    dsl = {"QUIC": [5.0, 6, 4, 7], "TCP": [4.0, 5, 3]}
    lte = {"QUIC": [2.0, 1, 4], "TCP": [4.0, 5, 6], "TCP+": [3.0, 3, 4]}
    # the participants that sort first rate LTE alone
    late = [vote._replace(participant=f"q{number}") for number, vote in enumerate(rated(dsl))]
    rows = score_anova_rows(rated(lte, "LTE") + late)
    assert [(row.network, row.stacks) for row in rows] == [("DSL", "QUIC, TCP"), ("LTE", "QUIC, TCP, TCP+")]
    for row, groups in zip(rows, (dsl, lte), strict=True):
        found = stats.f_oneway(*groups.values())
        assert (row.f, row.p_value) == pytest.approx((found.statistic, found.pvalue))


def test_a_stack_with_one_vote_is_left_out() -> None:
    scores = {"QUIC": [5.0, 6, 4, 7], "TCP": [4.0, 5, 3]}
    assert score_anova_rows(rated({**scores, "TCP+": [1.0]})) == score_anova_rows(rated(scores))
    assert score_anova_rows(rated({"QUIC": [5.0, 6], "TCP": [4.0]})) == ()


def test_without_spread_within_stacks_f_is_unknown() -> None:
    (row,) = score_anova_rows(rated({"QUIC": [5.0, 5], "TCP": [4.0, 4, 4]}))
    assert (row.f, row.p_value, row.freedom_within) == (None, None, 3)


def test_single_votes_are_correlated_with_the_metric_of_their_clip() -> None:
    votes, metrics = drawn()
    (row,) = vote_correlation_rows(votes, metrics)
    scores, values = [vote.score for vote in votes], [metrics[vote.clip_sha256]["si_ms"] for vote in votes]
    pearson = stats.pearsonr(scores, values)
    interval = pearson.confidence_interval(0.95)
    assert (row.network, row.metric, row.votes, row.source) == ("DSL", "si", 200, "recalled")
    assert (row.pearson, row.p_value) == pytest.approx((pearson.statistic, pearson.pvalue), rel=1e-9)
    assert (row.ci_low, row.ci_high) == pytest.approx((interval.low, interval.high))
    assert row.spearman == pytest.approx(stats.spearmanr(scores, values).statistic)
    # the same p as the slope's of a regression of votes on the metric
    slope = sm.OLS(scores, sm.add_constant(np.array(values, dtype=float))).fit()
    assert row.p_value == pytest.approx(slope.pvalues[1], rel=1e-6)


def test_votes_whose_clip_lacks_the_metric_do_not_count() -> None:
    votes, metrics = drawn()
    without = [rating("QUIC", 7.0, clip="unknown"), rating("QUIC", 7.0, clip="c99")]
    metrics["c99"] = {}
    assert vote_correlation_rows([*without, *votes], metrics) == vote_correlation_rows(votes, metrics)


def test_metrics_are_correlated_by_network() -> None:
    votes = [
        rating("QUIC", score, network=network, clip=f"c{clip}", number=number)
        for network in ("LTE", "DSL")
        for number, (clip, score) in enumerate([(0, 6.0), (1, 4.0), (2, 3.0), (0, 7.0)])
    ]
    metrics = {name: {**values, "cls": 0.1 * place} for place, (name, values) in enumerate(clips([1, 2, 3]).items())}
    rows = vote_correlation_rows(votes, metrics)
    assert [(row.network, row.metric) for row in rows] == [("DSL", "si"), ("DSL", "cls"), ("LTE", "si"), ("LTE", "cls")]
    assert rows[0].pearson == pytest.approx(stats.pearsonr([6, 4, 3, 7], [1, 2, 3, 1]).statistic)


def test_too_few_votes_have_no_coefficient() -> None:
    (row,) = vote_correlation_rows([rating("QUIC", 5.0, clip="c0"), rating("QUIC", 4.0, clip="c1")], clips([1.0, 2.0]))
    assert (row.votes, row.pearson, row.p_value, row.spearman) == (2, None, None, None)


def test_the_order_of_the_votes_does_not_matter() -> None:
    votes, metrics = drawn()
    assert vote_correlation_rows(votes[::-1], metrics) == vote_correlation_rows(votes, metrics)
    mussels = rated(MUSSELS)
    assert score_anova_rows(mussels[::-1]) == score_anova_rows(mussels)
