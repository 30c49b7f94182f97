"""Agreement equals published examples: Krippendorff (2011), Shrout and Fleiss (1979)."""

import krippendorff
import numpy as np
import pytest

from eyelevel_stats.descriptive.crossing import Crossing, crossing
from eyelevel_stats.descriptive.reliability import Level, alpha, icc, reliability_rows
from eyelevel_stats.observations import Rating

# K. Krippendorff, Computing Krippendorff's alpha-reliability (2011), sections C and D: 4 observers, 12 units. Without
# the last unit, which one observer coded alone, it is the table in the README of evalica
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
# P. E. Shrout, J. L. Fleiss (1979), table 2: 6 targets, 4 judges
TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def design(table: list[list[int | None]]) -> Crossing:
    """Rows are participants, columns clips."""
    cells = [(f"p{p}", f"c{c:02}", s) for p, row in enumerate(table) for c, s in enumerate(row) if s is not None]
    return crossing([p for p, _, _ in cells], [c for _, c, _ in cells], [s for _, _, s in cells])


def transposed(table: list[list[int]]) -> list[list[int | None]]:
    return [list(column) for column in zip(*table, strict=True)]


def test_nominal_alpha_is_the_published_one() -> None:
    assert alpha(design(OBSERVERS), "nominal") == pytest.approx(0.7434210526315788, abs=1e-12)


@pytest.mark.parametrize(("level", "published"), [("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_other_levels_is_the_published_one(level: str, published: float) -> None:
    found = alpha(design(OBSERVERS), "ordinal" if level == "ordinal" else "interval")
    assert found == pytest.approx(published, abs=5e-4)


def test_alpha_takes_ordinal_scores_unless_told_otherwise() -> None:
    assert alpha(design(OBSERVERS)) == pytest.approx(0.815, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_another_program(level: Level, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(1, 8, size=(6, 30)).astype(float)
    scores[rng.random(scores.shape) < 0.4] = np.nan
    table = [[None if np.isnan(score) else int(score) for score in row] for row in scores]
    other = krippendorff.alpha(reliability_data=scores, level_of_measurement=level)
    assert alpha(design(table), level) == pytest.approx(other, abs=1e-12)


def test_alpha_is_unknown_where_nothing_can_be_paired_or_varies() -> None:
    assert alpha(design([[1, None], [None, 2]])) is None
    assert alpha(design([[4, 4], [4, 4]])) is None
    # a clip with one participant cannot be paired, so that its score varies nothing
    assert alpha(design([[4, 4, 5], [4, 4, None]])) is None


def test_alpha_is_unknown_for_scores_without_categories() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(2, 60))
    found = crossing(["a"] * 60 + ["b"] * 60, [f"c{c}" for c in range(60)] * 2, scores.ravel().tolist())
    assert alpha(found) is None


def test_icc_of_a_complete_table_are_the_published_ones() -> None:
    found = icc(design(transposed(TARGETS)))
    assert found is not None
    assert found.k == 4
    assert (found.icc_1_1, found.icc_2_1, found.icc_3_1) == pytest.approx((0.17, 0.29, 0.71), abs=5e-3)
    assert (found.icc_1_k, found.icc_2_k, found.icc_3_k) == pytest.approx((0.44, 0.62, 0.91), abs=5e-3)


def test_icc_of_an_incomplete_table_are_those_of_full_regressions() -> None:
    """Henderson's method 3 with dummy columns: reductions in sums of squares against their expectations by traces."""
    table: list[list[int | None]] = [[5, 3, None, 6, 2], [4, 3, 2, None, 1], [7, None, 4, 6, 3], [6, 4, 5, 7, None]]
    data = design(table)
    clips, people = np.eye(5)[data.clip], np.eye(4)[data.person]

    def left(columns: np.ndarray) -> float:
        return float(np.sum((data.score - columns @ np.linalg.lstsq(columns, data.score, rcond=None)[0]) ** 2))

    def trace(columns: np.ndarray, given: np.ndarray) -> float:
        outside = np.eye(len(data.score)) - given @ np.linalg.pinv(given)
        return float(np.trace(columns.T @ outside @ columns))

    both = np.hstack([clips, people])
    rest = left(both) / (len(data.score) - 8)
    of_clip = (left(people) - left(both) - 4 * rest) / trace(clips, people)
    of_person = (left(clips) - left(both) - 3 * rest) / trace(people, clips)
    k = 5 / (1 / 4 + 1 / 3 + 1 / 3 + 1 / 3 + 1 / 3)
    found = icc(data)
    assert found is not None
    assert found.k == pytest.approx(k)
    assert found.icc_2_1 == pytest.approx(of_clip / (of_clip + of_person + rest), abs=1e-12)
    assert found.icc_2_k == pytest.approx(of_clip / (of_clip + (of_person + rest) / k), abs=1e-12)
    assert found.icc_3_1 == pytest.approx(of_clip / (of_clip + rest), abs=1e-12)
    # one-way: mean squares within and between clips, with Searle's n0
    size = clips.sum(axis=0)
    within = left(clips) / (16 - 5)
    between = (left(np.ones((16, 1))) - left(clips)) / 4
    alone = (between - within) / ((16 - size @ size / 16) / 4)
    assert found.icc_1_1 == pytest.approx(alone / (alone + within), abs=1e-12)


def test_known_variances_are_found_where_everyone_rates_some_clips() -> None:
    """Standard deviations 1 of clips, 0.5 of participants, 0.8 of the rest: ICC(2,1) is 1 / 1.89, ICC(3,1) 1 / 1.64."""
    rng = np.random.default_rng(4)
    person, clip = np.nonzero(rng.random((300, 300)) < 0.1)
    score = rng.normal(0, 1, 300)[clip] + rng.normal(0, 0.5, 300)[person] + rng.normal(0, 0.8, len(person))
    found = icc(crossing([f"p{p}" for p in person], [f"c{c}" for c in clip], score.tolist()))
    assert found is not None
    assert found.icc_2_1 == pytest.approx(1 / 1.89, abs=0.05)
    assert found.icc_1_1 == pytest.approx(1 / 1.89, abs=0.05)
    assert found.icc_3_1 == pytest.approx(1 / 1.64, abs=0.05)


def test_icc_are_unknown_where_the_design_cannot_tell_them() -> None:
    assert icc(design([[1], [2]])) is None
    alone = icc(design([[1, 2, 3]]))
    assert alone is not None
    assert (alone.icc_1_1, alone.icc_2_1, alone.icc_3_k) == (None, None, None)
    # everyone rates one clip: clips and people are the same, but votes of one clip still agree or not
    nested = icc(design([[1, None], [2, None], [None, 6], [None, 7]]))
    assert nested is not None
    assert nested.icc_1_1 == pytest.approx(12.25 / 12.75)
    assert (nested.icc_2_1, nested.icc_3_1) == (None, None)


def test_constant_scores_have_no_icc() -> None:
    found = icc(design([[4, 4], [4, 4], [4, 4]]))
    assert found is not None
    assert (found.icc_1_1, found.icc_2_1) == (None, None)


def test_rows_are_all_networks_and_then_each() -> None:
    votes = [
        Rating(f"j{j}", "site", "DSL" if t < 3 else "LTE", "QUIC", "work", f"t{t}", score)
        for t, row in enumerate(TARGETS)
        for j, score in enumerate(row)
    ]
    rows = reliability_rows(votes)
    assert [(row.network, row.clips, row.participants, row.votes) for row in rows] == [
        ("all", 6, 4, 24),
        ("DSL", 3, 4, 12),
        ("LTE", 3, 4, 12),
    ]
    assert rows[0].complete == "yes"
    assert rows[0].icc_2_1 == pytest.approx(0.29, abs=5e-3)
    assert [row.network for row in reliability_rows(votes[:12])] == ["all"]
    assert reliability_rows(votes[1:])[0].complete == "no"
    assert reliability_rows([]) == ()
