"""The additive fit is that of dummy columns, repeated votes count once, and parts are found."""

import numpy as np
import pytest

from eyelevel_stats.descriptive.crossing import Additive, crossing, numbered, parts


def drawn(seed: int, people: int, cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    kept = rng.random((people, cells)) < 0.6
    kept[:, 0] = kept[0] = True
    person, cell = np.nonzero(kept)
    return person, cell, rng.normal(size=len(person))


@pytest.mark.parametrize(("people", "cells"), [(12, 5), (5, 12)])
def test_residuals_are_those_of_a_fit_with_dummy_columns(people: int, cells: int) -> None:
    person, cell, values = drawn(people, people, cells)
    columns = np.hstack([np.eye(people)[person], np.eye(cells)[cell]])
    level, _, rank, _ = np.linalg.lstsq(columns, values, rcond=None)
    fit = Additive(person, cell)
    assert fit.residuals(values) == pytest.approx(values - columns @ level, abs=1e-12)
    assert fit.freedom == len(values) - rank


def test_a_design_of_two_parts_has_one_level_less_than_a_connected_one() -> None:
    person, cell = np.array([0, 0, 1, 1, 2, 2, 3, 3]), np.array([0, 1, 0, 1, 2, 3, 2, 3])
    values = np.array([1.0, 2, 4, 3, 5, 6, 8, 8])
    columns = np.hstack([np.eye(4)[person], np.eye(4)[cell]])
    level, _, rank, _ = np.linalg.lstsq(columns, values, rcond=None)
    fit = Additive(person, cell)
    assert parts(person, cell)[0] == 2
    assert rank == 6
    assert fit.freedom == 2
    assert fit.residuals(values) == pytest.approx(values - columns @ level, abs=1e-12)


def test_a_common_participant_joins_two_parts() -> None:
    assert parts(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 2, 3, 0]))[0] == 2
    assert parts(np.array([0, 0, 1, 1, 0]), np.array([0, 1, 2, 3, 3]))[0] == 1


def test_votes_of_one_participant_on_one_clip_are_averaged() -> None:
    found = crossing(["ben", "ann", "ben", "ben"], ["x", "x", "x", "y"], [4, 6, 5, 2])
    assert (found.people, found.clips) == (("ann", "ben"), ("x", "y"))
    assert list(zip(found.person, found.clip, found.score, strict=True)) == [(0, 0, 6.0), (1, 0, 4.5), (1, 1, 2.0)]
    assert found.mos().tolist() == [5.25, 2.0]
    assert not found.is_complete()


def test_a_full_table_is_complete() -> None:
    assert crossing(["a", "a", "a", "b", "b", "b"], [*"xyzxyz"], [1, 2, 3, 4, 5, 6]).is_complete()


def test_names_are_numbered_in_their_order() -> None:
    assert numbered(["b", "a", "c", "a"])[0] == ("a", "b", "c")
    assert numbered(["b", "a", "c", "a"])[1].tolist() == [1, 0, 2, 0]


def test_an_unknown_score_is_refused() -> None:
    with pytest.raises(ValueError, match="leave unknown scores out"):
        crossing(["a"], ["x"], [float("nan")])


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="Columns differ in length: 1, 2, 1"):
        crossing(["a"], ["x", "y"], [1])
