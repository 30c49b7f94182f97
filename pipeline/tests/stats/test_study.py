"""The tables of a study: per condition, per pair, per network and metric, per clip."""

import random

import pytest

from eyelevel_core.model.metrics import FIELDS, complete
from eyelevel_stats.observations import Comparison, Rating, Ratings
from eyelevel_stats.rows.study import CorrelationRow, MosRow, PointRow
from eyelevel_stats.study import study_results

UNKNOWN = complete({})


def rating(
    participant: str, clip: str, score: float, *, stack: str = "QUIC", context: str = "work", site: str = "garden"
) -> Rating:
    return Rating(participant, site, "DSL", stack, context, clip, score)


def comparison(participant: str, left: str, right: str, choice: str) -> Comparison:
    return Comparison(participant, "garden", "DSL", left, right, "work", choice)  # type: ignore[arg-type]


def test_no_votes_give_empty_tables() -> None:
    found = study_results(Ratings.of([]), [], {})
    assert (found.mos, found.comparisons, found.correlations, found.points) == ((), (), (), ())


def test_mos_is_per_site_network_stack_and_context() -> None:
    votes = [rating("ann", "c1", 6), rating("ann", "c1", 2, context="free"), rating("ben", "c2", 4, stack="TCP+")]
    assert study_results(Ratings.of(votes), [], {}).mos == (
        MosRow("garden", "DSL", "QUIC", "free", 1, 2.0, None, None, None),
        MosRow("garden", "DSL", "QUIC", "work", 1, 6.0, None, None, None),
        MosRow("garden", "DSL", "TCP+", "work", 1, 4.0, None, None, None),
    )


def test_an_interval_of_mos_stays_on_its_scale() -> None:
    (row,) = study_results(Ratings.of([rating("ann", "c1", 6), rating("ben", "c1", 7)]), [], {}).mos
    assert (row.mos, row.ci_low, row.ci_high) == (6.5, 1.0, 7.0)


def test_a_point_is_one_clip_over_all_contexts_and_a_person_counts_once() -> None:
    votes = [rating("ann", "c1", 7), rating("ann", "c1", 1, context="free"), rating("ben", "c1", 6)]
    metrics = {"c1": {"fvc_ms": 100.0, "si_ms": 200.0, "lvc_ms": 400.0, "plt_ms": 500.0}}
    assert study_results(Ratings.of(votes), [], metrics).points == (
        PointRow("c1", "garden", "DSL", "QUIC", 2, 5.0, complete(metrics["c1"]), ci_low=1.0, ci_high=7.0),
    )


def clips_rated(clips: int, sites: int) -> list[Rating]:
    """Two people rate clip after clip one step worse, over and over."""
    return [
        rating(who, f"c{number:02}", 7 - number % 7, site=f"s{number % sites}")
        for number in range(clips)
        for who in ("ann", "ben")
    ]


def test_correlation_is_over_the_clips_whose_metric_is_known() -> None:
    metrics = {f"c{n:02}": {"si_ms": 1000.0 * (n % 7 + 1), "vc85_ms": 5.0} for n in range(10)}
    fvc, si, vc85, _, _ = study_results(Ratings.of(clips_rated(11, 5)), [], metrics).correlations
    none = "too few clips: 0 of at least 10"
    assert fvc == CorrelationRow("DSL", "fvc", 0, 0, None, None, None, None, None, none)
    assert (si.clips, si.votes, si.why) == (10, 20, None)
    assert (si.pearson, si.spearman) == pytest.approx((-1.0, -1.0))
    alike = "the metric or the MOS is the same for all clips"
    assert vc85 == CorrelationRow("DSL", "vc85", 10, 20, None, None, None, None, None, alike)


@pytest.mark.parametrize(
    ("clips", "sites", "why"),
    [(9, 9, "too few clips: 9 of at least 10"), (10, 4, "too few sites: 4 of at least 5")],
)
def test_too_few_clips_or_sites_have_no_correlation_and_a_reason(clips: int, sites: int, why: str) -> None:
    metrics = {f"c{n:02}": {"si_ms": 1000.0 * (n % 7 + 1)} for n in range(clips)}
    si = study_results(Ratings.of(clips_rated(clips, sites)), [], metrics).correlations[1]
    assert si == CorrelationRow("DSL", "si", clips, 2 * clips, None, None, None, None, None, why)


def test_metrics_of_the_plain_film_are_correlated_where_a_clip_has_them() -> None:
    votes = [rating("ann", f"c{score}", score) for score in (1, 4, 7)]
    metrics = {f"c{score}": {"si_ms": 2.0, "si_plain_ms": 8.0 - score} for score in (1, 4, 7)}
    rows = study_results(Ratings.of(votes), [], metrics).correlations
    assert [row.metric for row in rows] == ["fvc", "si", "vc85", "lvc", "plt", "si_plain"]
    assert rows[-1].clips == 3


def test_a_pair_is_one_row_whichever_stack_was_left() -> None:
    votes = [
        comparison("ann", "TCP+", "QUIC", "right"),
        comparison("ben", "QUIC", "TCP+", "left"),
        comparison("cem", "QUIC", "TCP+", "right"),
        comparison("dea", "TCP+", "QUIC", "none"),
    ]
    (row,) = study_results(Ratings.of([]), votes, {}).comparisons
    assert (row.stack_a, row.stack_b) == ("QUIC", "TCP+")
    assert (row.n, row.prefer_a, row.prefer_b, row.no_difference, row.share_a) == (4, 2, 1, 1, 0.5)


def test_the_same_stack_on_both_sides_counts_left_as_a() -> None:
    votes = [comparison("ann", "QUIC", "QUIC", "left"), comparison("ben", "QUIC", "QUIC", "right")]
    (row,) = study_results(Ratings.of([]), votes, {}).comparisons
    assert (row.prefer_a, row.prefer_b) == (1, 1)


def test_the_order_of_votes_does_not_change_one_bit() -> None:
    draw = random.Random(1)
    votes = [rating(f"p{draw.randrange(40)}", f"c{draw.randrange(9)}", draw.randint(1, 7)) for _ in range(600)]
    metrics = {f"c{i}": {name: draw.uniform(100, 9000) for name in FIELDS[:5]} for i in range(9)}
    here = study_results(Ratings.of(votes), [], metrics)
    draw.shuffle(votes)
    assert study_results(Ratings.of(votes), [], metrics) == here


def test_a_hundred_thousand_votes_are_all_counted() -> None:
    draw = random.Random(2)
    votes = [
        Rating(
            f"p{i % 4000}",
            f"s{draw.randrange(38)}",
            f"n{draw.randrange(4)}",
            f"k{draw.randrange(5)}",
            "work",
            f"c{i % 760}",
            4,
        )
        for i in range(100_000)
    ]
    found = study_results(Ratings.of(votes), [], {})
    assert sum(point.n for point in found.points) == pytest.approx(100_000, rel=0.01)
