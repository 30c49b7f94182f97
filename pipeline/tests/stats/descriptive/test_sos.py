"""The SOS parameter: values known by theory, least squares by numpy, and the interval of statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.sandwich_covariance import cov_cluster

from eyelevel_stats.descriptive.sos import sos_parameter, sos_points, sos_rows
from eyelevel_stats.observations import Rating

from .netflix import needs_netflix, ratings


def votes(clip: str, scores: list[int], network: str = "DSL") -> list[Rating]:
    return [Rating(f"p{i}", f"site-{clip}", network, "QUIC", "work", clip, score) for i, score in enumerate(scores)]


def test_by_hand() -> None:
    """Clips with MOS 4, 3 and 6 (parabola 9, 8 and 5) and variances 2, 4 and 0: a = (18 + 32) / (81 + 64 + 25)."""
    given = votes("x", [3, 3, 5, 5, 4]) + votes("y", [1, 3, 5]) + votes("z", [6, 6])
    points = sos_points(given)
    assert [(point.clip_sha256, point.n, point.mos, point.variance) for point in points] == [
        ("x", 5, 4.0, 1.0),
        ("y", 3, 3.0, 4.0),
        ("z", 2, 6.0, 0.0),
    ]
    (row,) = sos_rows(points, scale=(1, 7))
    assert row.a == pytest.approx((9 * 1 + 8 * 4) / (81 + 64 + 25))
    assert (row.network, row.clips, row.sites, row.scope) == ("all", 3, 3, "these very sites")


def test_full_agreement_is_0_and_votes_at_both_ends_are_the_most() -> None:
    agreed = [vote for clip in "xyz" for vote in votes(clip, [2 + ord(clip) % 4] * 4)]
    assert sos_rows(sos_points(agreed), scale=(1, 7))[0].a == 0
    # n / (n - 1) with n votes: the variance has the divisor n - 1
    torn = votes("x", [1] * 50 + [7] * 50) + votes("y", [1] * 20 + [7] * 80) + votes("z", [1] * 70 + [7] * 30)
    assert sos_rows(sos_points(torn), scale=(1, 7))[0].a == pytest.approx(100 / 99)


def test_binomial_scores_have_a_sixth_on_seven_points_and_a_quarter_on_five() -> None:
    """T. Hossfeld et al. (2011): a binomial distribution over K points has a = 1 / (K - 1)."""
    rng = np.random.default_rng(7)
    for high, a in ((7, 1 / 6), (5, 1 / 4)):
        given = [
            vote
            for clip, p in enumerate(np.linspace(0.1, 0.9, 30))
            for vote in votes(f"c{clip:02}", (1 + rng.binomial(high - 1, p, 400)).tolist())
        ]
        (row,) = sos_rows(sos_points(given), scale=(1, high))
        assert row.a == pytest.approx(a, rel=0.03)
        assert row.ci_low is not None
        assert row.ci_high is not None
        assert row.ci_low < a < row.ci_high


@needs_netflix
def test_the_netflix_ratings_agree_with_least_squares_and_clusters_of_other_programs() -> None:
    """Least squares by numpy, and the variance clustered by content (9 of them) of statsmodels."""
    points = sos_points(ratings())
    (row,) = sos_rows(points, scale=(1, 5))
    mos = np.array([point.mos for point in points])
    variance = np.array([point.variance for point in points])
    column = ((mos - 1) * (5 - mos))[:, None]
    assert row.a == pytest.approx(np.linalg.lstsq(column, variance, rcond=None)[0][0], abs=1e-12)
    site = np.array([int(point.site) for point in points])
    se = cov_cluster(sm.OLS(variance, column).fit(), site, use_correction=False)[0, 0] ** 0.5 * (9 / 8) ** 0.5
    # Student's t with 8 degrees of freedom: 2.306004
    assert row.ci_low == pytest.approx(row.a - 2.306004 * se, abs=1e-6)
    assert row.ci_high == pytest.approx(row.a + 2.306004 * se, abs=1e-6)
    assert (row.clips, row.sites, row.scope) == (79, 9, "sites like these")


def test_with_few_sites_clips_are_independent() -> None:
    mos, variance = [2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 1.5, 1.0]
    found = sos_parameter(mos, variance, ["one", "one", "two", "two"], scale=(1, 7))
    column = np.array([[(m - 1) * (7 - m)] for m in mos])
    other = sm.OLS(variance, column).fit()
    se = cov_cluster(other, np.arange(4), use_correction=False)[0, 0] ** 0.5 * (4 / 3) ** 0.5
    assert found is not None
    assert found.se == pytest.approx(se, rel=1e-9)
    assert found.freedom == 3


def test_two_clips_are_too_few_and_one_vote_is_no_point() -> None:
    given = votes("x", [3, 4]) + votes("y", [5, 6]) + votes("z", [7])
    points = sos_points(given)
    assert len(points) == 2
    (row,) = sos_rows(points, scale=(1, 7))
    assert (row.clips, row.a, row.ci_low) == (2, None, None)
    assert sos_rows([], scale=(1, 7)) == ()


def test_clips_at_the_ends_alone_say_nothing() -> None:
    given = [vote for clip in "xyz" for vote in votes(clip, [7, 7])]
    assert sos_rows(sos_points(given), scale=(1, 7))[0].a is None


def test_networks_have_rows_of_their_own_after_the_common_one() -> None:
    given = [vote for clip in "abc" for vote in votes(clip, [3, 4, 5])]
    given += [vote for clip in "def" for vote in votes(clip, [1, 4, 7], network="LTE")]
    rows = sos_rows(sos_points(given), scale=(1, 7))
    assert [(row.network, row.clips) for row in rows] == [("all", 6), ("DSL", 3), ("LTE", 3)]
    assert [row.a for row in rows] == pytest.approx([5 / 9, 1 / 9, 1])


def test_a_mos_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="MOS are 6 to 6, but their scale is 1 to 5"):
        sos_rows(sos_points(votes("x", [6, 6])), scale=(1, 5))
