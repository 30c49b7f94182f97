"""The leaderboard: what it says of simulated clips, by scipy and numpy, and when it says nothing and why."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.agreement.clip_scores import ClipScore
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.rows.metrics import LeaderRow


def clips(
    *, sites: int = 6, networks: tuple[str, ...] = ("DSL", "LTE"), stacks: int = 3, n: int = 20, seed: int = 1
) -> tuple[ClipScore, ...]:
    """One clip per site, network and stack; sites and networks differ more than stacks."""
    rng = np.random.default_rng(seed)
    return tuple(
        ClipScore(f"s{s}-{network}-{k}", f"s{s}", network, n, 2 + 0.4 * s + w + 0.3 * k + 0.2 * rng.normal(), 1.5)
        for s in range(sites)
        for w, network in enumerate(networks)
        for k in range(stacks)
    )


def metrics(of: tuple[ClipScore, ...], *, seed: int = 2) -> dict[str, dict[str, float | None]]:
    rng = np.random.default_rng(seed)
    return {
        "si": {clip.stimulus: 9000 - 1000 * clip.mos + 150 * rng.normal() for clip in of},
        "plt": {clip.stimulus: 9000 - 1000 * clip.mos + 900 * rng.normal() for clip in of},
        "ssim": {clip.stimulus: 0.1 * clip.mos + 0.02 * rng.normal() for clip in of},
    }


def the(rows: tuple[LeaderRow, ...], network: str, metric: str) -> LeaderRow:
    (row,) = (row for row in rows if (row.network, row.metric) == (network, metric))
    return row


def column(of: tuple[ClipScore, ...], values: dict[str, float | None]) -> tuple[list[float], list[float]]:
    known = [(value, clip.mos) for clip in of if (value := values[clip.stimulus]) is not None]
    return [value for value, _ in known], [mos for _, mos in known]


def test_all_networks_come_first_and_then_each() -> None:
    rows = leaderboard(clips(), metrics(clips()))
    assert [(row.network, row.metric, row.clips, row.sites) for row in rows] == [
        (network, metric, count, 6)
        for network, count in (("all", 36), ("DSL", 18), ("LTE", 18))
        for metric in ("si", "plt", "ssim")
    ]


def test_one_network_has_rows_for_all_only() -> None:
    scored = clips(networks=("DSL",))
    assert {row.network for row in leaderboard(scored, metrics(scored))} == {"all"}


@pytest.mark.parametrize("network", ["all", "DSL", "LTE"])
def test_raw_coefficients_are_scipys_with_the_sign_of_metric_against_mos(network: str) -> None:
    every, values = clips(), metrics(clips())
    row = the(leaderboard(every, values), network, "si")
    x, y = column(tuple(clip for clip in every if network in ("all", clip.network)), values["si"])
    assert row.pearson == pytest.approx(stats.pearsonr(x, y).statistic)
    assert row.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
    assert row.kendall == pytest.approx(stats.kendalltau(x, y).statistic)
    assert row.pearson is not None
    assert row.pearson < -0.9


def test_centred_coefficients_are_of_deviations_from_the_mean_of_site_and_network() -> None:
    every, values = clips(), metrics(clips())
    row = the(leaderboard(every, values), "all", "plt")
    x, y = column(every, values["plt"])
    cells: dict[tuple[str, str], list[int]] = {}
    for place, clip in enumerate(every):
        cells.setdefault((clip.site, clip.network), []).append(place)
    for cell in cells.values():
        mean_x, mean_y = np.mean([x[place] for place in cell]), np.mean([y[place] for place in cell])
        for place in cell:
            x[place] -= float(mean_x)
            y[place] -= float(mean_y)
    assert row.pearson_centred == pytest.approx(stats.pearsonr(x, y).statistic)
    assert row.spearman_centred == pytest.approx(stats.spearmanr(x, y).statistic)
    assert row.kendall_centred == pytest.approx(stats.kendalltau(x, y).statistic)


def test_centred_coefficients_leave_out_clips_that_are_alone() -> None:
    every = clips()
    alone = ClipScore("odd", "s9", "DSL", 20, 7.0, 1.5)
    values = {"si": {**metrics(every)["si"], "odd": 1.0}}
    with_it, without = leaderboard([*every, alone], values)[0], leaderboard(every, values)[0]
    assert (with_it.clips, with_it.sites) == (37, 7)
    assert with_it.spearman_centred == without.spearman_centred
    assert with_it.kendall_centred == without.kendall_centred
    assert with_it.reliability_centred == without.reliability_centred


def test_equal_deviations_are_ties() -> None:
    # deviations of MOS and metric are -1, 0, 1 in each site, whatever the rounding of its mean
    scored = tuple(ClipScore(f"{s}{k}", f"s{s}", "DSL", 9, 0.1 * s + k, 1.0) for s in range(7) for k in range(3))
    values = {"si": {clip.stimulus: 0.7 * place - 10 * (place % 3) for place, clip in enumerate(scored)}}
    row = leaderboard(scored, values)[0]
    assert row.spearman_centred == pytest.approx(-1)
    assert row.kendall_centred == pytest.approx(-1)


def test_errors_are_those_of_the_mapped_metric() -> None:
    every, values = clips(), metrics(clips())
    row = the(leaderboard(every, values), "all", "plt")
    x, y = column(every, values["plt"])
    fitted = np.polynomial.Polynomial.fit(x, y, 1)(np.array(x))
    error = np.abs(np.array(y) - fitted)
    half = stats.t.ppf(0.975, 19) * np.sqrt(1.5 / 20)
    assert row.mapping == "linear"
    # a straight line changes the sign alone
    assert row.pearson is not None
    assert row.pearson_mapped == pytest.approx(abs(row.pearson))
    assert row.rmse == pytest.approx(np.sqrt(np.sum(error**2) / 34))
    assert row.rmse_star == pytest.approx(np.sqrt(np.sum(np.maximum(0, error - half) ** 2) / 34))
    assert row.outlier_ratio == pytest.approx(np.mean(error > half))


def test_the_mapped_metrics_correlation_is_that_of_the_curve() -> None:
    every = clips()
    curved: dict[str, dict[str, float | None]] = {
        "curved": {clip.stimulus: float(np.exp(-clip.mos / 3) + 0.0005 * place) for place, clip in enumerate(every)}
    }
    row = the(leaderboard(every, curved), "all", "curved")
    x, y = column(every, curved["curved"])
    fitted = np.polynomial.Polynomial.fit(x, y, 3)(np.array(x))
    assert row.mapping == "cubic"
    assert row.pearson is not None
    assert row.pearson_mapped is not None
    assert row.pearson_mapped == pytest.approx(stats.pearsonr(fitted, y).statistic)
    assert row.pearson_mapped > abs(row.pearson)


def test_every_rmse_is_tested_against_the_least_of_the_network() -> None:
    rows = leaderboard(clips(), metrics(clips()))
    best, other = the(rows, "all", "si"), the(rows, "all", "plt")
    assert best.rmse is not None
    assert other.rmse is not None
    assert best.rmse == min(row.rmse for row in rows if row.network == "all" and row.rmse is not None)
    assert best.rmse_p is None
    left = {"cubic": 32, "linear": 34}
    assert other.mapping is not None
    assert best.mapping is not None
    expected = stats.f.sf((other.rmse / best.rmse) ** 2, left[other.mapping], left[best.mapping])
    assert other.rmse_p == pytest.approx(expected, rel=1e-9, abs=0)


def test_a_metric_with_gaps_is_not_tested_and_is_not_the_one_to_test_against() -> None:
    every, values = clips(), metrics(clips())
    # perfect, and known for 32 of 36 clips
    values["few"] = {clip.stimulus: clip.mos for clip in every[4:]}
    rows = leaderboard(every, values)
    assert the(rows, "all", "few").rmse == pytest.approx(0, abs=1e-9)
    assert [the(rows, "all", name).rmse_p is None for name in ("si", "plt", "few")] == [True, False, True]
    values["few"][every[3].stimulus] = every[3].mos
    rows = leaderboard(every, values)
    assert [the(rows, "all", name).rmse_p is None for name in ("si", "plt", "few")] == [False, False, True]


def test_reliability_ceilings_and_shares_follow_from_mos_and_noise() -> None:
    every = clips()
    row = the(leaderboard(every, metrics(every)), "all", "si")
    mos = np.array([clip.mos for clip in every])
    expected = 1 - (1.5 / 20) / mos.var(ddof=1)
    assert row.reliability == pytest.approx(expected)
    assert row.ceiling == pytest.approx(np.sqrt(expected))
    assert row.pearson is not None
    assert row.share == pytest.approx(-row.pearson / np.sqrt(expected))
    within = mos.reshape(12, 3) - mos.reshape(12, 3).mean(axis=1, keepdims=True)
    expected = 1 - (1.5 / 20) / (np.sum(within**2) / (36 - 12))
    assert row.reliability_centred == pytest.approx(expected)
    assert row.ceiling_centred == pytest.approx(np.sqrt(expected))
    assert row.pearson_centred is not None
    assert row.share_centred == pytest.approx(-row.pearson_centred / np.sqrt(expected))


def test_intervals_are_around_their_estimates() -> None:
    row = asdict(the(leaderboard(clips(), metrics(clips())), "all", "si"))
    for name in ("reliability", "share", "share_centred"):
        assert row[f"{name}_ci_low"] < row[name] < row[f"{name}_ci_high"]
    assert row["spearman"] < 0 < row["ceiling_spearman"] < 1
    assert row["why"] is None


def test_direction_says_whether_better_values_go_with_better_opinions() -> None:
    rows = leaderboard(clips(), metrics(clips()), higher_is_better={"ssim"})
    assert [row.direction for row in rows[:3]] == ["expected"] * 3
    rows = leaderboard(clips(), metrics(clips()), higher_is_better={"si"})
    assert [row.direction for row in rows[:3]] == ["opposite", "expected", "opposite"]


def nothing(row: LeaderRow) -> bool:
    said = {"network", "metric", "clips", "sites", "why"}
    return all(value is None for name, value in asdict(row).items() if name not in said)


def test_under_ten_clips_there_is_nothing_and_a_reason() -> None:
    scored = clips(sites=5, networks=("DSL",), stacks=2)
    values = {"si": {**metrics(scored)["si"], scored[0].stimulus: None}, "none": {}}
    few, none = leaderboard(scored, values)
    assert (few.clips, few.sites, few.why) == (9, 5, "too few clips: 9 of at least 10")
    assert (none.clips, none.sites, none.why) == (0, 0, "too few clips: 0 of at least 10")
    assert nothing(few)
    assert nothing(none)


def test_under_five_sites_there_is_nothing_and_a_reason() -> None:
    scored = clips(sites=4)
    row = leaderboard(scored, metrics(scored))[0]
    assert (row.clips, row.sites, row.why) == (24, 4, "too few sites: 4 of at least 5")
    assert nothing(row)


def test_ten_clips_of_five_sites_are_enough() -> None:
    scored = clips(sites=5, networks=("DSL",), stacks=2)
    row = leaderboard(scored, metrics(scored))[0]
    assert row.pearson is not None
    assert row.pearson_centred is not None


@pytest.mark.parametrize("each_its_own", [True, False])
def test_where_sites_are_unknown_only_clips_count_and_nothing_is_centred(each_its_own: bool) -> None:
    known = clips(sites=2, networks=("DSL",), stacks=6)
    scored = tuple(clip._replace(site=clip.stimulus if each_its_own else "") for clip in known)
    row = leaderboard(scored, metrics(scored))[0]
    assert (row.clips, row.sites) == (12, None)
    assert row.why == "sites are unknown: nothing is centred within sites"
    assert row.pearson == pytest.approx(stats.pearsonr(*column(scored, metrics(scored)["si"])).statistic)
    assert row.share_ci_low is not None
    assert row.share_ci_high is not None
    assert row.share_ci_low < row.share_ci_high
    assert (row.pearson_centred, row.spearman_centred, row.reliability_centred) == (None, None, None)


def test_clips_of_an_unknown_site_are_no_site_together() -> None:
    scored = clips(networks=("DSL",))
    strange = tuple(ClipScore(f"x{n}", "", "DSL", 20, 1 + 1.2 * n, 1.5) for n in range(4))
    known = {name: {**values, **{f"x{n}": 100.0 * n for n in range(4)}} for name, values in metrics(scored).items()}
    for row, alone in zip(leaderboard(scored + strange, known), leaderboard(scored, metrics(scored)), strict=True):
        assert (row.clips, row.sites, alone.clips, alone.sites) == (22, 6, 18, 6)
        assert (row.pearson_centred, row.kendall_centred) == (alone.pearson_centred, alone.kendall_centred)
        assert row.reliability_centred == alone.reliability_centred
        assert row.pearson != alone.pearson


def test_one_clip_of_each_site_on_a_network_has_nothing_within_sites() -> None:
    scored = clips(sites=10, stacks=1)
    row = leaderboard(scored, metrics(scored))[0]
    assert (row.clips, row.sites, row.pearson_centred) == (20, 10, None)
    assert row.pearson is not None
    assert row.why == (
        "within sites, counting only sites with several clips on a network, too few clips: 0 of at least 10"
    )


def test_ceilings_are_missing_where_opinions_differ_by_noise_only() -> None:
    rng = np.random.default_rng(5)
    scored = tuple(clip._replace(mos=4 + 0.5 * rng.normal(), variance=3.0) for clip in clips())
    row = leaderboard(scored, metrics(scored))[0]
    assert row.reliability is not None
    assert row.reliability_ci_low is not None
    assert row.reliability_ci_low < 0 < row.reliability
    assert (row.ceiling, row.ceiling_spearman, row.share, row.ceiling_centred, row.share_centred) == (None,) * 5
    assert row.pearson is not None
    assert row.why == (
        "MOS do not differ by more than their noise: the interval of reliability contains 0; "
        "MOS do not differ by more than their noise: the interval of reliability_centred contains 0"
    )


def test_one_vote_per_clip_has_correlations_but_no_ceiling() -> None:
    scored = tuple(clip._replace(n=1, variance=None) for clip in clips())
    row = leaderboard(scored, metrics(scored))[0]
    assert row.why == "no clip has two scores, so the noise of MOS is unknown"
    assert row.rmse is not None
    assert row.pearson_centred is not None
    assert (row.rmse_star, row.outlier_ratio, row.reliability, row.share, row.share_centred) == (None,) * 5


def test_a_constant_metric_has_no_coefficients_and_a_reason() -> None:
    every = clips()
    constant: dict[str, float | None] = {clip.stimulus: 0.0 for clip in every}
    of_site: dict[str, float | None] = {clip.stimulus: float(clip.site[1:]) for clip in every}
    same, by_site = leaderboard(every, {"cls": constant, "size": of_site})[:2]
    assert (same.pearson, same.rmse, same.direction, same.share) == (None,) * 4
    assert same.why == "metric or MOS is the same for all clips"
    assert by_site.pearson is not None
    assert by_site.pearson_centred is None
    assert by_site.why == "metric or MOS is the same for all clips of each site on each network"


def test_an_unknown_value_leaves_its_clip_out_for_its_metric_only() -> None:
    every, values = clips(), metrics(clips())
    values["si"][every[0].stimulus] = None
    del values["si"][every[1].stimulus]
    rows = leaderboard(every, values)
    assert (the(rows, "all", "si").clips, the(rows, "all", "plt").clips) == (34, 36)


def test_a_value_that_is_not_finite_is_refused() -> None:
    every, values = clips(), metrics(clips())
    values["si"][every[0].stimulus] = float("nan")
    with pytest.raises(ValueError, match="A value of si is not a finite number"):
        leaderboard(every, values)


def test_the_order_of_clips_does_not_matter_and_the_seed_does() -> None:
    every, values = clips(), metrics(clips())
    assert leaderboard(every[::-1], values) == leaderboard(every, values)
    assert leaderboard(every, values, seed=1)[0].ceiling_spearman != leaderboard(every, values)[0].ceiling_spearman


def test_no_clips_give_rows_without_figures() -> None:
    (row,) = leaderboard([], {"si": {}})
    assert (row.network, row.clips, row.why) == ("all", 0, "too few clips: 0 of at least 10")
