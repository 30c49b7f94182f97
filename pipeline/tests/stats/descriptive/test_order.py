"""Order effects: statsmodels on dummy columns, planted effects, and what the previous clip is."""

from itertools import pairwise

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.sandwich_covariance import cov_cluster

from eyelevel_stats.descriptive.order import OrderedVote, order_rows
from eyelevel_stats.rows.trust import OrderRow


def drawn(seed: int, people: int, *, drift: float = 0.0, contrast: float = 0.0) -> list[OrderedVote]:
    """Everyone rates 12 of 20 clips in an order of their own."""
    rng = np.random.default_rng(seed)
    quality = rng.uniform(2, 6, 20)
    votes = []
    for p in range(people):
        person, last = rng.normal(0, 0.5), None
        for position, clip in enumerate(rng.permutation(20)[:12], start=1):
            score = quality[clip] + person + drift * position + rng.normal(0, 0.5)
            score += 0 if last is None else contrast * (quality[last] - 4)
            votes.append(OrderedVote(f"p{p:03}", position, f"c{clip:02}", "work", float(score)))
            last = clip
    return votes


def test_the_slope_on_the_position_is_that_of_dummy_columns_with_clusters() -> None:
    votes = drawn(1, 10, drift=0.1)
    person = np.unique([vote.participant for vote in votes], return_inverse=True)[1]
    clip = np.unique([vote.clip_sha256 for vote in votes], return_inverse=True)[1]
    columns = np.column_stack([[vote.position for vote in votes], np.eye(10)[person], np.eye(20)[clip][:, 1:]])
    fit = sm.OLS([vote.score for vote in votes], columns).fit()
    se = (cov_cluster(fit, person, use_correction=False)[0, 0] * 10 / 9) ** 0.5
    row = order_rows(votes[::-1])[0]
    assert (row.effect, row.participants, row.votes) == ("position", 10, 120)
    assert row.slope == pytest.approx(fit.params[0], abs=1e-10)
    # Student's t with 9 degrees of freedom: 2.262157
    assert row.ci_low == pytest.approx(fit.params[0] - 2.262157 * se, abs=1e-6)
    assert row.ci_high == pytest.approx(fit.params[0] + 2.262157 * se, abs=1e-6)


def test_the_slope_is_per_place_in_the_plan_and_the_order_of_votes_does_not_matter() -> None:
    votes = drawn(1, 10, drift=0.1)
    apart = order_rows([vote._replace(position=3 * vote.position) for vote in votes])
    found = order_rows(votes)
    assert found[0].slope is not None
    assert apart[0].slope == pytest.approx(found[0].slope / 3)
    assert apart[1] == found[1]
    assert order_rows(sorted(votes, key=lambda vote: vote.clip_sha256)) == found


def test_a_planted_drift_and_a_planted_contrast_are_found() -> None:
    drifting, before = order_rows(drawn(2, 150, drift=-0.05))
    assert drifting.slope == pytest.approx(-0.05, abs=0.015)
    assert before.slope == pytest.approx(0, abs=0.04)
    position, contrast = order_rows(drawn(3, 150, contrast=-0.2))
    assert position.slope == pytest.approx(0, abs=0.015)
    assert contrast.slope == pytest.approx(-0.2, abs=0.04)
    assert (contrast.effect, contrast.votes) == ("previous clip", 150 * 11)
    assert contrast.ci_high is not None
    assert contrast.ci_high < 0


def test_the_previous_clip_is_the_one_rated_before_with_the_mos_of_others() -> None:
    """By least squares on dummy columns, with the MOS before each vote written down by hand."""
    table = {
        "a": [("x", 2), ("y", 5), ("z", 4)],
        "b": [("y", 6), ("x", 3), ("z", 7)],
        "c": [("z", 5), ("y", 4), ("x", 1)],
        "d": [("x", 4), ("z", 6), ("y", 6)],
    }
    votes = [OrderedVote(p, 3 * i + 2, c, "work", s) for p, rated in table.items() for i, (c, s) in enumerate(rated)]
    score = {(p, c): s for p, rated in table.items() for c, s in rated}
    rows = []
    for p, rated in table.items():
        for (last, _), (clip, own_score) in pairwise(rated):
            others = np.mean([score[q, last] for q in table if q != p])
            rows.append((others, "abcd".index(p), "xyz".index(clip), own_score))
    before, person, clips, scores = (np.array(column) for column in zip(*rows, strict=True))
    columns = np.column_stack([before, np.eye(4)[person], np.eye(3)[clips][:, 1:]])
    found = order_rows(votes)[1]
    assert found.votes == 8
    assert found.slope == pytest.approx(np.linalg.lstsq(columns, scores, rcond=None)[0][0], abs=1e-10)


def test_a_previous_clip_that_nobody_else_rated_does_not_count() -> None:
    votes = [OrderedVote("a", 1, "lonely", "work", 1), OrderedVote("a", 2, "x", "work", 2)]
    votes += [OrderedVote("b", 1, "x", "work", 3), OrderedVote("b", 2, "y", "work", 4)]
    # only b's second vote follows a clip that another participant rated
    assert order_rows(votes)[1] == OrderRow("previous clip", 1, 1, None, None, None, None)


def test_an_order_that_is_the_same_for_everyone_cannot_be_told_from_the_clips() -> None:
    votes = [OrderedVote(p, i, f"c{i}", "work", i + len(p)) for p in ("a", "bb", "ccc") for i in range(1, 5)]
    assert order_rows(votes)[0].slope is None
    assert order_rows([]) == ()
