"""Groups side by side: scipy's tests, the estimand of the hypotheses, and planted effects."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster

from eyelevel_stats.descriptive.groups import group_effect_rows, group_mos_rows, group_offset_rows
from eyelevel_stats.observations import Rating


def vote(participant: str, clip: str, score: float, *, stack: str = "QUIC", site: str = "garden") -> Rating:
    return Rating(participant, site, "DSL", stack, "work", clip, score)


def drawn(seed: int, people: int, *, interaction: float = 0.0) -> tuple[list[Rating], dict[str, str]]:
    """Two groups of equally many; QUIC is rated 0.3 higher, in the second group by `interaction` more."""
    rng = np.random.default_rng(seed)
    votes, group_of = [], {}
    for p in range(2 * people):
        name, second = f"p{p:03}", p >= people
        group_of[name] = "recruiter" if second else "lab"
        person = rng.normal(0, 0.5)
        for s in range(6):
            for network in ("DSL", "LTE"):
                for stack in ("TCP", "QUIC"):
                    if rng.random() < 0.6:
                        gain = (0.3 + interaction * second) * (stack == "QUIC")
                        score = 4 + person + 0.2 * s + gain + rng.normal(0, 0.5)
                        clip = f"{s}{network}{stack}"
                        votes.append(Rating(name, f"s{s}", network, stack, "work", clip, float(score)))
    return votes, group_of


def test_mos_of_a_group_count_all_votes_and_then_each_network_and_stack() -> None:
    votes = [vote("a", "x", 2), vote("a", "y", 4, stack="TCP"), vote("b", "x", 5), vote("c", "x", 6)]
    rows = group_mos_rows(votes, {"a": "lab", "b": "lab", "c": "web"}, scale=(1, 7))
    assert [(row.group, row.network, row.stack, row.n, row.votes, row.mos) for row in rows] == [
        ("lab", None, None, 2, 3, 4.0),
        ("lab", "DSL", "QUIC", 2, 2, 3.5),
        ("lab", "DSL", "TCP", 1, 1, 4.0),
        ("web", None, None, 1, 1, 6.0),
        ("web", "DSL", "QUIC", 1, 1, 6.0),
    ]
    assert (rows[2].ci_low, rows[2].sd) == (None, None)
    # 3.5 with sd 2.12 and 12.7062 as t: cut at the ends of the scale
    assert (rows[1].ci_low, rows[1].ci_high) == (1.0, 7.0)


def test_the_offset_on_one_clip_has_the_standard_error_of_welch() -> None:
    rng = np.random.default_rng(1)
    lab, web = rng.normal(4, 1, 10), rng.normal(4.5, 1, 10)
    votes = [vote(f"p{i:02}", "x", float(score)) for i, score in enumerate([*lab, *web])]
    (row,) = group_offset_rows(votes, {f"p{i:02}": "lab" if i < 10 else "web" for i in range(20)})
    welch = stats.ttest_ind(web, lab, equal_var=False)
    assert row.offset == pytest.approx(web.mean() - lab.mean())
    # 9 degrees of freedom, those of the smaller group
    assert row.p_value == pytest.approx(2 * stats.t.sf(abs(welch.statistic), 9), rel=1e-9)
    assert (row.clips, row.first_n, row.second_n, row.pearson) == (1, 10, 10, None)


def test_offset_and_correlation_are_over_clips_that_both_groups_rated() -> None:
    lab = {"x": 2.0, "y": 3.0, "z": 5.0, "only": 7.0}
    web = {"x": 3.0, "y": 3.0, "z": 6.0}
    votes = [vote(f"l{i}", clip, score) for clip, score in lab.items() for i in range(3)]
    votes += [vote(f"w{i}", clip, score) for clip, score in web.items() for i in range(2)]
    group_of = {f"l{i}": "lab" for i in range(3)} | {f"w{i}": "web" for i in range(2)}
    (row,) = group_offset_rows(votes, group_of)
    assert (row.first_group, row.second_group, row.clips) == ("lab", "web", 3)
    assert row.offset == pytest.approx(2 / 3)
    assert row.pearson == pytest.approx(stats.pearsonr([2, 3, 5], [3, 3, 6]).statistic)
    assert row.spearman == pytest.approx(stats.spearmanr([2, 3, 5], [3, 3, 6]).statistic)


def test_groups_without_a_common_clip_have_a_row_without_numbers() -> None:
    (row,) = group_offset_rows([vote("a", "x", 1), vote("b", "y", 2)], {"a": "lab", "b": "web"})
    assert (row.clips, row.offset, row.ci_low, row.p_value, row.pearson) == (0, None, None, None, None)


def test_the_interaction_is_that_of_weighted_least_squares_in_each_group() -> None:
    votes, group_of = drawn(3, 12)
    row = group_effect_rows(votes, group_of, pair=("TCP", "QUIC"))[0]
    found = []
    for name in ("lab", "recruiter"):
        group_votes = [rating for rating in votes if group_of[rating.participant] == name]
        people = np.unique([rating.participant for rating in group_votes], return_inverse=True)[1]
        cells = np.unique([rating.site + rating.network for rating in group_votes], return_inverse=True)[1]
        arm = np.array([rating.stack == "QUIC" for rating in group_votes], float)
        columns = np.column_stack([arm, np.eye(12)[people], np.eye(12)[cells][:, 1:]])
        fit = sm.WLS([rating.score for rating in group_votes], columns, weights=1 / np.bincount(cells)[cells]).fit()
        found.append((fit.params[0], cov_cluster(fit, people, use_correction=False)[0, 0] * 12 / 11))
    assert (row.network, row.places, row.first_n, row.second_n) == ("pooled", 12, 12, 12)
    assert row.first_effect == pytest.approx(found[0][0], abs=1e-9)
    assert row.second_effect == pytest.approx(found[1][0], abs=1e-9)
    difference, clustered = found[1][0] - found[0][0], (found[0][1] + found[1][1]) ** 0.5
    se = (row.ci_high - difference) / stats.t.ppf(0.975, 11)
    # what the effects of cells absorb is restored (ADR 22): 1/12 of the noise
    assert 1.01 < se / clustered < 1.08
    assert (row.ci_low, row.p_value) == pytest.approx(
        (difference - stats.t.ppf(0.975, 11) * se, 2 * stats.t.sf(abs(difference) / se, 11)), rel=1e-7
    )


def test_a_planted_interaction_is_found_pooled_and_on_each_network() -> None:
    votes, group_of = drawn(4, 60, interaction=1.0)
    rows = group_effect_rows(votes, group_of, pair=("TCP", "QUIC"))
    assert [row.network for row in rows] == ["pooled", "DSL", "LTE"]
    for row in rows:
        assert row.difference == pytest.approx(1.0, abs=0.3)
        assert row.ci_low is not None
        assert row.ci_low > 0


def test_only_sites_where_both_groups_rated_both_stacks_count() -> None:
    votes = [
        vote(f"{group}{i}", f"{site}-{stack}", 4 + gain * (stack == "QUIC"), stack=stack, site=site)
        for group, site, gain in [("l", "both", 1), ("w", "both", 2), ("w", "extra", 3)]
        for i in range(3)
        for stack in ("TCP", "QUIC")
    ]
    votes += [vote(f"{group}0", "one-TCP", 4, stack="TCP", site="one") for group in "lw"]
    group_of = {f"{group}{i}": group for group in "lw" for i in range(3)}
    (row,) = group_effect_rows(votes, group_of, pair=("TCP", "QUIC"))
    assert row.places == 1
    assert (row.first_effect, row.second_effect) == pytest.approx((1, 2))
    assert row.difference == pytest.approx(1)
    assert group_effect_rows(votes[:6], group_of, pair=("TCP", "QUIC")) == ()


def test_the_order_of_votes_does_not_matter() -> None:
    votes, group_of = drawn(5, 8)
    assert group_offset_rows(votes[::-1], group_of) == group_offset_rows(votes, group_of)
    in_order, reversed_order = (
        group_effect_rows(ordered, group_of, pair=("TCP", "QUIC")) for ordered in (votes, votes[::-1])
    )
    assert in_order == reversed_order
