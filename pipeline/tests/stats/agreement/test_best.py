"""Best set: which metrics are in it, what it says of a claim, by hand and by scipy, and when there is none."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.agreement.best import BestSet, Support, best_sets, critical_values
from eyelevel_stats.agreement.clip_scores import ClipVote, clip_scores
from eyelevel_stats.agreement.dependent import meng, zou
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.agreement.redrawn import ballot, redrawn_correlations
from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.rows.metrics import BestRow

DRAWS = 300


def study(
    *, sites: int = 10, networks: tuple[str, ...] = ("DSL", "LTE"), stacks: int = 3, people: int = 25, seed: int = 1
) -> tuple[list[ClipVote], dict[str, float]]:
    """Votes of everybody on every clip, and the true opinion of each clip."""
    rng = np.random.default_rng(seed)
    truth = {
        f"s{s}-{network}-{k}": 4 + 0.1 * s + w + rng.normal()
        for s in range(sites)
        for w, network in enumerate(networks)
        for k in range(stacks)
    }
    votes = [
        ClipVote(f"p{person}", clip, clip.split("-")[0], clip.split("-")[1], opinion + rng.normal())
        for clip, opinion in truth.items()
        for person in range(people)
    ]
    return votes, truth


def metric(truth: dict[str, float], *, noise: float, seed: int) -> dict[str, float | None]:
    rng = np.random.default_rng(seed)
    return {clip: 5000 - 500 * (opinion + noise * rng.normal()) for clip, opinion in truth.items()}


def upwards(truth: dict[str, float]) -> dict[str, float | None]:
    return dict(truth.items())


def three(truth: dict[str, float]) -> dict[str, dict[str, float | None]]:
    return {
        "si": metric(truth, noise=0.05, seed=1),
        "plt": metric(truth, noise=1.5, seed=2),
        "fvc": metric(truth, noise=9, seed=3),
    }


def only(found: tuple[BestSet, ...], network: str = "all") -> BestSet:
    (best_set,) = (candidate for candidate in found if candidate.network == network)
    return best_set


def row(found: BestSet, name: str) -> BestRow:
    (metric_row,) = (candidate for candidate in found.rows if candidate.metric == name)
    return metric_row


def test_a_metric_that_is_clearly_best_is_the_set_and_the_claim_is_supported() -> None:
    votes, truth = study()
    found = only(best_sets(votes, three(truth), draws=DRAWS))
    assert (found.names, found.why) == (("si",), None)
    assert [entry.best for entry in found.rows] == ["yes", "no", "no"]
    assert found.support("si") is Support.SUPPORTED
    assert found.support("plt") is Support.CONTRADICTED
    assert found.support("vc85") is Support.UNDECIDED


def test_metrics_that_agree_equally_well_are_both_in_the_set_and_nothing_is_decided() -> None:
    votes, truth = study()
    metrics = three(truth) | {"lcp": metric(truth, noise=0.05, seed=9)}
    found = only(best_sets(votes, metrics, draws=DRAWS))
    assert found.names == ("si", "lcp")
    assert found.support("si") is Support.UNDECIDED
    assert found.support("fvc") is Support.CONTRADICTED


def test_a_metric_and_its_copy_differ_by_nothing() -> None:
    votes, truth = study()
    metrics = three(truth)
    found = only(best_sets(votes, {"si": metrics["si"], "copy": metrics["si"]}, draws=DRAWS))
    assert found.names == ("si", "copy")
    (difference,) = found.differences
    assert (difference.difference, difference.ci_low, difference.ci_high) == (0, 0, 0)
    assert (difference.meng_z, difference.meng_p) == (None, None)


def test_all_networks_come_first_and_then_each() -> None:
    votes, truth = study()
    found = best_sets(votes, three(truth), draws=DRAWS)
    assert [(best_set.network, len(best_set.rows), len(best_set.differences)) for best_set in found] == [
        ("all", 3, 3), ("DSL", 3, 3), ("LTE", 3, 3),
    ]  # fmt: skip
    assert [(entry.clips, entry.sites, entry.participants) for entry in (best_set.rows[0] for best_set in found)] == [
        (60, 10, 25), (30, 10, 25), (30, 10, 25),
    ]  # fmt: skip
    several, alone = study(networks=("DSL",))
    assert [best_set.network for best_set in best_sets(several, three(alone), draws=DRAWS)] == ["all"]


@pytest.mark.parametrize("network", ["all", "DSL"])
def test_theta_is_the_leaderboards_centred_rank_correlation_with_the_sign_of_agreement(network: str) -> None:
    votes, truth = study()
    metrics = three(truth) | {"ssim": upwards(truth)}
    found = only(best_sets(votes, metrics, higher_is_better={"ssim"}, draws=DRAWS), network)
    board = {
        entry.metric: entry
        for entry in leaderboard(clip_scores(votes), metrics, higher_is_better={"ssim"})
        if entry.network == network
    }
    for name, sign in (("si", -1), ("plt", -1), ("ssim", 1)):
        centred = board[name].spearman_centred
        assert centred is not None
        assert row(found, name).theta == pytest.approx(sign * centred)
        assert row(found, name).within == "site and network"


def test_theta_network_is_centred_within_networks_only() -> None:
    votes, truth = study()
    values = three(truth)["plt"]
    clips = clip_scores(votes)
    x, y = [], []
    for network in ("DSL", "LTE"):
        within = [clip for clip in clips if clip.network == network]
        known = np.array([values[clip.stimulus] for clip in within], dtype=float)
        mos = np.array([clip.mos for clip in within])
        x += list(known.mean() - known)
        y += list(mos - mos.mean())
    found = only(best_sets(votes, three(truth), draws=DRAWS))
    assert row(found, "plt").theta_network == pytest.approx(stats.spearmanr(x, y).statistic)


def test_intervals_are_percentiles_of_the_two_way_bootstrap() -> None:
    votes, truth = study(networks=("DSL",))
    metrics = three(truth)
    clips = clip_scores(votes)
    by_clip: dict[str, dict[str, float]] = {}
    for vote in votes:
        by_clip.setdefault(vote.stimulus, {})[vote.participant] = vote.score
    sites = Groups.by([clip.site for clip in clips])
    drawn = redrawn_correlations(
        ballot([by_clip[clip.stimulus] for clip in clips]),
        -np.array([[metrics[name][clip.stimulus] for clip in clips] for name in ("si", "plt")], dtype=float),
        cells=sites, units=sites, draws=DRAWS, rng=np.random.default_rng(3),
    )  # fmt: skip
    found = only(best_sets(votes, {name: metrics[name] for name in ("si", "plt")}, seed=3, draws=DRAWS))
    plt, difference = row(found, "plt"), found.differences[0]
    assert (plt.ci_low, plt.ci_high) == pytest.approx(tuple(np.quantile(drawn[:, 1], [0.025, 0.975])))
    expected = np.quantile(drawn[:, 0] - drawn[:, 1], [0.025, 0.975])
    assert (difference.ci_low, difference.ci_high) == pytest.approx(tuple(expected))


def test_meng_and_zou_are_of_the_centred_ranks_with_a_point_less_per_further_group() -> None:
    votes, truth = study()
    metrics = three(truth)
    found = only(best_sets(votes, metrics, draws=DRAWS))
    clips = clip_scores(votes)

    def within(name: str) -> np.ndarray:
        values = np.array([metrics[name][clip.stimulus] for clip in clips], dtype=float).reshape(20, 3)
        deviations: np.ndarray = values - values.mean(axis=1, keepdims=True)
        return deviations.ravel()

    difference = found.differences[0]
    assert (difference.metric_a, difference.metric_b) == ("si", "plt")
    between = stats.spearmanr(within("si"), within("plt")).statistic
    a, b = row(found, "si").theta, row(found, "plt").theta
    assert a is not None
    assert b is not None
    test, interval = meng(a, b, between, 60 - 19), zou(a, b, between, 60 - 19)
    assert test is not None
    assert interval is not None
    assert (difference.difference, difference.meng_z, difference.meng_p) == pytest.approx((a - b, test.z, test.p_value))
    assert (difference.zou_low, difference.zou_high) == pytest.approx((interval.low, interval.high))


def test_critical_values_are_those_of_the_definition_by_hand() -> None:
    rng = np.random.default_rng(1)
    theta = np.array([0.9, 0.7, 0.85])
    drawn = theta + rng.normal(0, [0.05, 0.1, 0.2], (200, 3))
    behind, critical = critical_values(theta, drawn)
    for m in range(3):
        se = [np.std(drawn[:, other] - drawn[:, m], ddof=1) for other in range(3)]
        scaled = [(theta[other] - theta[m]) / se[other] for other in range(3) if other != m]
        assert behind[m] == pytest.approx(max(0, *scaled))
        largest = [
            max(
                0.0,
                *(
                    ((draw[other] - draw[m]) - (theta[other] - theta[m])) / se[other]
                    for other in range(3)
                    if other != m
                ),
            )
            for draw in drawn
        ]
        assert critical[m] == pytest.approx(np.quantile(largest, 0.95))


def test_a_metric_that_is_behind_in_every_draw_by_the_same_is_not_the_best() -> None:
    votes, truth = study(people=3)
    exact = [vote._replace(score=truth[vote.stimulus]) for vote in votes]
    metrics = {"si": metric(truth, noise=0, seed=1), "reversed": upwards(truth)}
    found = only(best_sets(exact, metrics, draws=DRAWS))
    assert found.names == ("si",)
    assert (row(found, "si").theta, row(found, "reversed").theta) == pytest.approx((1, -1))
    assert (row(found, "reversed").behind, row(found, "reversed").best) == (None, "no")


def test_a_table_of_means_has_no_set_but_the_tests_that_need_correlations_alone() -> None:
    """One score per clip: Meng's z and Zou's interval from Spearman's coefficients by scipy."""
    _, truth = study(networks=("",))
    means = [ClipVote("all", clip, clip, "", opinion) for clip, opinion in truth.items()]
    known = three(truth)
    found = only(best_sets(means, known, draws=DRAWS))
    assert (found.names, str(found.why)) == (None, "too few participants: 1 of at least 2")
    theta = {
        name: -stats.spearmanr(list(truth.values()), list(values.values())).statistic for name, values in known.items()
    }
    assert {entry.metric: entry.theta for entry in found.rows} == pytest.approx(theta)
    assert {(entry.ci_low, entry.best, entry.why) for entry in found.rows} == {(None, None, str(found.why))}
    assert [(difference.metric_a, difference.metric_b) for difference in found.differences] == [
        ("si", "plt"),
        ("si", "fvc"),
        ("plt", "fvc"),
    ]
    first = found.differences[0]
    between = stats.spearmanr(list(known["si"].values()), list(known["plt"].values())).statistic
    by_hand = meng(theta["si"], theta["plt"], between, len(truth))
    assert by_hand is not None
    assert (first.meng_z, first.meng_p) == pytest.approx((by_hand.z, by_hand.p_value))
    assert (first.ci_low, first.ci_high) == (None, None)
    assert first.zou_low is not None


def test_under_eight_sites_there_is_no_set_and_a_reason() -> None:
    votes, truth = study(sites=7)
    found = only(best_sets(votes, three(truth), draws=DRAWS))
    assert (found.names, str(found.why), found.differences) == (None, "too few sites: 7 of at least 8", ())
    assert [(entry.metric, entry.theta, entry.best, entry.why) for entry in found.rows] == [
        (name, None, None, str(found.why)) for name in ("si", "plt", "fvc")
    ]
    assert found.support("si") is Support.UNDECIDED


@pytest.mark.parametrize(
    ("sites", "stacks", "people", "why"),
    [
        (8, 3, 1, "too few participants: 1 of at least 2"),
        (3, 1, 9, "too few clips: 6 of at least 10"),
        (4, 3, 9, "too few sites: 4 of at least 5"),
    ],
)
def test_too_little_data_has_no_set_and_a_reason(sites: int, stacks: int, people: int, why: str) -> None:
    votes, truth = study(sites=sites, stacks=stacks, people=people)
    assert str(only(best_sets(votes, three(truth), draws=DRAWS)).why) == why


def test_no_votes_and_no_metrics_have_no_set() -> None:
    assert str(only(best_sets([], {"si": {}}, draws=DRAWS)).why) == "too few clips: 0 of at least 10"
    votes, truth = study()
    assert str(only(best_sets(votes, {}, draws=DRAWS)).why) == "too few metrics to compare: 0 of at least 2"
    found = only(best_sets(votes, {"si": metric(truth, noise=1, seed=1)}, draws=DRAWS))
    assert str(found.why) == "too few metrics to compare: 1 of at least 2"


@pytest.mark.parametrize("each_its_own", [True, False])
def test_where_sites_are_unknown_clips_are_drawn_and_nothing_is_centred_within_them(each_its_own: bool) -> None:
    votes, truth = study(sites=4, networks=("DSL",))
    unknown = [vote._replace(site=vote.stimulus if each_its_own else "") for vote in votes]
    found = only(best_sets(unknown, three(truth), draws=DRAWS))
    si = row(found, "si")
    assert (found.why, si.clips, si.sites, si.within) == (None, 12, None, "network")
    clips = clip_scores(votes)
    expected = stats.spearmanr([truth[clip.stimulus] for clip in clips], [clip.mos for clip in clips]).statistic
    assert si.theta == pytest.approx(expected, abs=0.1)
    assert si.theta == si.theta_network
    assert si.ci_low is not None
    assert si.ci_high is not None
    assert si.ci_low < si.ci_high


def test_one_clip_of_each_site_on_a_network_is_centred_within_networks() -> None:
    votes, truth = study(sites=12, stacks=1)
    found = only(best_sets(votes, three(truth), draws=DRAWS))
    assert (row(found, "si").within, row(found, "si").sites) == ("network", 12)
    assert row(found, "si").theta == row(found, "si").theta_network


def test_a_metric_with_gaps_is_not_compared_and_does_not_cost_the_others_clips() -> None:
    votes, truth = study()
    metrics = dict(reversed(three(truth).items()))
    for clip in list(truth)[:7]:
        metrics["fvc"][clip] = None
    del metrics["plt"][next(iter(truth))]
    found = only(best_sets(votes, metrics, draws=DRAWS))
    assert [entry.metric for entry in found.rows] == ["fvc", "plt", "si"]
    assert row(found, "fvc").why == "known for 53 of 60 clips; to be compared, a metric has to be known for 90 %"
    assert (row(found, "fvc").theta, row(found, "fvc").best) == (None, None)
    assert (row(found, "si").clips, found.support("fvc")) == (59, Support.UNDECIDED)
    assert [(difference.metric_a, difference.metric_b) for difference in found.differences] == [("plt", "si")]


def test_a_metric_without_variation_within_sites_is_not_compared() -> None:
    votes, truth = study()
    of_site: dict[str, float | None] = {clip: float(clip[1]) for clip in truth}
    found = only(best_sets(votes, three(truth) | {"size": of_site}, draws=DRAWS))
    assert row(found, "size").why == (
        "metric or MOS is the same for all clips within each of the groups in which it is centred"
    )
    assert found.names == ("si",)


def test_clips_that_are_alone_do_not_count() -> None:
    votes, truth = study()
    truth["s0-odd"] = 9.0
    votes += [ClipVote(f"p{person}", "s0-odd", "s0", "odd", 7.0) for person in range(5)]
    assert row(only(best_sets(votes, three(truth), draws=DRAWS)), "si").clips == 60


def test_the_same_seed_gives_the_same_sets_in_whatever_order_the_votes_come() -> None:
    votes, truth = study()
    metrics = three(truth)
    first = best_sets(votes, metrics, draws=DRAWS)
    again = best_sets(votes[::-1], metrics, draws=DRAWS)
    assert [asdict(entry) for best_set in again for entry in best_set.rows] == [
        pytest.approx(asdict(entry)) for best_set in first for entry in best_set.rows
    ]
    other = best_sets(votes, metrics, seed=1, draws=DRAWS)
    assert first[0].rows[1].ci_low != other[0].rows[1].ci_low
