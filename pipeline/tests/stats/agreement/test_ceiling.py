"""Reliability and ceilings meet a published table, their definitions by hand, and the truth of simulated clips."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.agreement.ceiling import ceiling, reliability, reliability_centred, spearman_ceiling, split_half
from eyelevel_stats.agreement.clip_scores import ClipVote, clip_scores, score_noise
from eyelevel_stats.agreement.scope import centred
from eyelevel_stats.agreement.shares import Redrawn
from eyelevel_stats.hypotheses.groups import Groups

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[5] / "shared"))
NETFLIX = SHARED / "oracles" / "ratings" / "nflx_public_raw.csv"
# four judges, six targets: P. E. Shrout, J. L. Fleiss, Intraclass correlations, Psychological Bulletin 86 (1979)
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def simulated(seed: int, *, clips: int = 400, n: int = 10, sd: float = 1.0) -> tuple[np.ndarray, list[ClipVote]]:
    """True opinions with variance 1, and the votes of different people for each clip."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1, clips)
    votes = [
        ClipVote(f"p{person}", f"c{clip:03}", "", "DSL", truth[clip] + rng.normal(0, sd))
        for clip in range(clips)
        for person in rng.choice(60, n, replace=False)
    ]
    return truth, votes


def of(votes: list[ClipVote]) -> tuple[np.ndarray, np.ndarray]:
    clips = clip_scores(votes)
    noise = score_noise(clips)
    assert noise is not None
    return np.array([clip.mos for clip in clips]), noise


def test_reliability_is_the_published_intraclass_correlation_of_mean_ratings() -> None:
    votes = [
        ClipVote(f"p{judge}", f"c{target}", "", "DSL", score)
        for target, scores in enumerate(SHROUT_FLEISS)
        for judge, score in enumerate(scores)
    ]
    # ICC(1,4) = .44 by the paper; (11.24 - 6.26) / 11.24 by its mean squares
    assert reliability(*of(votes)) == pytest.approx(0.4428, abs=5e-4)


@pytest.mark.skipif(not NETFLIX.exists(), reason="the oracle ratings are not there: set EYELEVEL_SHARED")
def test_reliability_of_the_netflix_ratings_is_one_less_the_inverse_of_scipys_f() -> None:
    with NETFLIX.open(newline="") as file:
        votes = [
            ClipVote(row["subject"], row["stimulus"], row["content"], "DSL", float(row["score"]))
            for row in csv.DictReader(file)
        ]
    clips = clip_scores(votes)
    assert {clip.stimulus: clip.mos for clip in clips}["0"] == pytest.approx(4.884615384615385, abs=1e-12)
    by_clip: dict[str, list[float]] = {}
    for vote in votes:
        by_clip.setdefault(vote.stimulus, []).append(vote.score)
    # everybody rated every clip, so that both mean squares have 26 votes per clip
    assert reliability(*of(votes)) == pytest.approx(1 - 1 / stats.f_oneway(*by_clip.values()).statistic)


def test_reliability_below_zero_has_no_ceiling() -> None:
    found = reliability(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0]))
    assert found == pytest.approx(-1)
    assert ceiling(found) is None
    assert ceiling(None) is None
    assert ceiling(0.81) == pytest.approx(0.9)


def test_reliability_is_unknown_where_all_mos_are_equal() -> None:
    assert reliability(np.array([4.0, 4.0]), np.array([0.1, 0.1])) is None


def test_centred_reliability_has_a_degree_of_freedom_less_per_group() -> None:
    mos, noise = np.array([1.0, 3.0, 6.0, 7.0, 8.0]), np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    groups = Groups.by(["a", "a", "b", "b", "b"])
    # squares 1 + 1 + 1 + 0 + 1 over 5 - 2
    found = reliability_centred(centred(mos, groups), noise, groups)
    assert found == pytest.approx(1 - 0.3 / (4 / 3))


def test_the_ceiling_is_the_correlation_of_the_truth_with_mos() -> None:
    truth, votes = simulated(1)
    mos, noise = of(votes)
    found = ceiling(reliability(mos, noise))
    assert found == pytest.approx(np.sqrt(1 / 1.1), abs=0.01)
    assert found == pytest.approx(np.corrcoef(truth, mos)[0, 1], abs=0.01)


def test_the_ceiling_of_spearman_is_the_mean_of_simulated_repetitions() -> None:
    mos, noise = np.array([1.0, 2, 2, 4, 7, 6]), np.array([0.5, 0.1, 0.2, 0.9, 0.4, 0.3])
    rng = np.random.default_rng(7)
    expected = np.mean(
        [stats.spearmanr(mos, mos + np.sqrt(noise) * draw).statistic for draw in rng.normal(size=(1000, 6))]
    )
    assert spearman_ceiling(mos, noise, rng=np.random.default_rng(7)) == pytest.approx(expected, abs=1e-12)


def test_the_ceiling_of_spearman_is_one_without_noise_and_unknown_without_differences() -> None:
    rng = np.random.default_rng(1)
    assert spearman_ceiling(np.array([1.0, 2, 2, 3]), np.zeros(4), rng=rng) == pytest.approx(1)
    assert spearman_ceiling(np.full(4, 2.0), np.ones(4), rng=rng) is None


def test_split_half_is_the_reliability_of_half_the_votes() -> None:
    _, votes = simulated(2)
    # two halves of about 5 votes a clip: 1 / (1 + 1/5), less what unequal halves cost
    assert split_half(votes, rng=np.random.default_rng(1)) == pytest.approx(1 / (1 + 1 / 5), abs=0.03)


def test_a_split_is_the_correlation_of_both_halves_mos() -> None:
    votes = [
        ClipVote(who, f"c{clip}", "", "DSL", score)
        for who, offset in (("ann", 0), ("ben", 1))
        for clip in range(10)
        for score in [((3 + offset) * clip) % 7 + 0.1 * clip]
    ]
    one, other = ([vote.score for vote in votes if vote.participant == who] for who in ("ann", "ben"))
    expected = np.corrcoef(one, other)[0, 1]
    assert split_half(votes, rng=np.random.default_rng(1), splits=3) == pytest.approx(expected)
    assert split_half(votes[:9] + votes[10:19], rng=np.random.default_rng(1), splits=3) is None


def test_every_way_to_split_is_as_likely() -> None:
    scores = np.random.default_rng(1).normal(size=(4, 12))
    votes = [ClipVote(f"p{who}", f"c{clip:02}", "", "DSL", scores[who, clip]) for who in range(4) for clip in range(12)]
    ways = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    each = [np.corrcoef(scores[list(one)].mean(axis=0), scores[list(other)].mean(axis=0))[0, 1] for one, other in ways]
    assert np.ptp(each) > 0.3
    assert split_half(votes, rng=np.random.default_rng(1), splits=4000) == pytest.approx(np.mean(each), abs=0.02)


def test_equal_votes_have_no_split_half() -> None:
    votes = [ClipVote(who, f"c{clip}", "", "DSL", 0.1) for who in ("ann", "ben", "cem") for clip in range(12)]
    assert split_half(votes, rng=np.random.default_rng(1)) is None


def interval(observed: float, drawn: list[float], units: int) -> tuple[float, float]:
    """Student's t about the estimate, by scipy, with the spread of the draws for as many units."""
    half = stats.t.ppf(0.975, units - 1) * np.std(drawn, ddof=1) * np.sqrt(units / (units - 1))
    return observed - half, observed + half


def check(redrawn: Redrawn, values: np.ndarray, reliable: list[float], pearson: list[float], units: int) -> None:
    """`reliable` and `pearson` are of the clips as they are, and then of each draw."""
    found, share = redrawn.reliability(), redrawn.share(values)
    low, high = interval(np.log(1 - reliable[0]), list(np.log(1 - np.array(reliable[1:]))), units)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1 - np.exp(high), 1 - np.exp(low)))
    shares = [
        -r / np.sqrt(reliable_share) for r, reliable_share in zip(pearson, reliable, strict=True) if reliable_share > 0
    ]
    assert share is not None
    assert (share.low, share.high) == pytest.approx(interval(shares[0], shares[1:], units))


def test_redrawn_intervals_are_those_of_the_drawn_clips() -> None:
    rng = np.random.default_rng(6)
    mos, noise = rng.normal(4, 1, 12), rng.uniform(0.05, 0.1, 12)
    values = rng.normal(3000, 500, 12) - 300 * mos
    sites = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3]
    redrawn = Redrawn(mos, noise, units=Groups.by(sites), groups=None, rng=np.random.default_rng(5), draws=400)
    counts = [np.ones(4, dtype=int), *np.random.default_rng(5).multinomial(4, np.full(4, 1 / 4), size=400)]
    drawn = [np.repeat(np.arange(12), count[sites]) for count in counts]
    reliable = [1 - noise[rows].mean() / mos[rows].var(ddof=1) for rows in drawn]
    assert min(reliable) > 0
    check(redrawn, values, reliable, [np.corrcoef(mos[rows], values[rows])[0, 1] for rows in drawn], 4)


def test_redrawn_centred_intervals_are_those_of_the_drawn_clips() -> None:
    rng = np.random.default_rng(4)
    mos, noise = rng.normal(4, 1, 12), rng.uniform(0.05, 0.1, 12)
    values = rng.normal(3000, 500, 12) - 400 * mos
    sites, cells = [0] * 4 + [1] * 4 + [2] * 4, [0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4]
    redrawn = Redrawn(
        mos, noise, units=Groups.by(sites), groups=Groups.by(cells), rng=np.random.default_rng(5), draws=400
    )
    centred_mos, metric = centred(mos, Groups.by(cells)), centred(values, Groups.by(cells))
    reliable, pearson = [], []
    for count in [np.ones(3, dtype=int), *np.random.default_rng(5).multinomial(3, np.full(3, 1 / 3), size=400)]:
        rows = np.repeat(np.arange(12), count[sites])
        freedom = len(rows) - count @ np.array([2, 1, 2])
        reliable.append(1 - noise[rows].mean() / (np.sum(centred_mos[rows] ** 2) / freedom))
        pearson.append(
            centred_mos[rows] @ metric[rows] / np.sqrt(np.sum(centred_mos[rows] ** 2) * np.sum(metric[rows] ** 2))
        )
    assert min(reliable) > 0
    check(redrawn, values, reliable, pearson, 3)


def test_the_interval_of_a_share_covers_the_truth_in_most_studies() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for number in range(200):
        opinion = rng.normal(0, 0.6, (12, 1)) + rng.normal(0, 0.5, (12, 5))
        values = (opinion + rng.normal(0, 0.4, (12, 5))).ravel()
        mos = (opinion + rng.normal(0, 0.28, (12, 5))).ravel()
        redrawn = Redrawn(
            mos, np.full(60, 0.28**2), units=Groups.by([clip // 5 for clip in range(60)]), groups=None,
            rng=np.random.default_rng(number), draws=200,
        )  # fmt: skip
        share = redrawn.share(values)
        # Pearson of metric and opinion, with variances 0.61 and 0.16
        covered += share is not None and share.low <= np.sqrt(0.61 / 0.77) <= share.high
    assert covered >= 0.92 * 200


def test_a_metric_that_does_not_vary_in_a_draw_has_correlation_0() -> None:
    mos, sites = np.array([1.0, 3, 2, 5, 1, 7]), [0, 0, 1, 1, 2, 2]
    # it varies on the first site only, which every third draw or so misses
    values = np.array([1000.3, 0.1, 0.1, 0.1, 0.1, 0.1])
    redrawn = Redrawn(mos, np.full(6, 0.01), units=Groups.by(sites), groups=None, rng=np.random.default_rng(1))
    shares = []
    for count in [np.ones(3, dtype=int), *np.random.default_rng(1).multinomial(3, np.full(3, 1 / 3), size=1000)]:
        rows = np.repeat(np.arange(6), count[sites])
        r = np.corrcoef(mos[rows], values[rows])[0, 1] if np.ptp(values[rows]) > 0 else 0.0
        shares.append(-r / np.sqrt(1 - 0.01 / mos[rows].var(ddof=1)))
    found = redrawn.share(values)
    assert 0.2 < np.mean(np.array(shares) == 0) < 0.4
    assert found is not None
    assert (found.low, found.high) == pytest.approx(interval(shares[0], shares[1:], 3))


@pytest.mark.parametrize("groups", [None, Groups.by([0, 0, 0, 0, 1, 1])])
def test_a_metric_that_varies_by_rounding_only_reaches_nothing(groups: Groups | None) -> None:
    units = Groups.by([0, 0, 0, 0, 1, 1])
    redrawn = Redrawn(
        np.array([1.0, 3, 2, 5, 1, 7]), np.full(6, 0.01), units=units, groups=groups, rng=np.random.default_rng(1)
    )
    found = redrawn.share(np.array([0.3, 0.1 + 0.2, 0.3, 0.3, 0.3, 0.1 + 0.2]))
    assert found is not None
    assert (found.low, found.high) == (0, 0)


def test_shares_are_unknown_where_many_draws_have_no_reliability() -> None:
    mos = np.array([1.0, 1.4, 0.6, 1.05])
    redrawn = Redrawn(mos, np.full(4, 0.08), units=Groups.by(range(4)), groups=None, rng=np.random.default_rng(1))
    assert redrawn.share(np.arange(4.0)) is None


def test_opinions_without_noise_are_reliable_for_certain() -> None:
    mos = np.array([1.0, 1.4, 0.6, 1.05, 3.0])
    redrawn = Redrawn(mos, np.zeros(5), units=Groups.by([0, 0, 1, 1, 2]), groups=None, rng=np.random.default_rng(1))
    found = redrawn.reliability()
    assert found is not None
    assert (found.low, found.high) == (1, 1)


def test_one_unit_has_no_interval() -> None:
    mos = np.array([1.0, 1.4, 0.6, 1.05, 3.0])
    redrawn = Redrawn(mos, np.full(5, 0.01), units=Groups.by([0] * 5), groups=None, rng=np.random.default_rng(1))
    assert redrawn.reliability() is None
    assert redrawn.share(np.arange(5.0)) is None
