"""The votes about each clip, in numbers small enough to check by hand."""

from typing import Any

import pytest
from scipy import stats

from eyelevel_stats.clip_votes import clip_votes
from eyelevel_stats.rows.study import AnswerCount, ClipVotesRow

NAMES = ("role", "trial_kind", "session_id", "score", "choice", "value")
CLIP, OTHER = "a" * 64, "b" * 64


def columns(*rows: tuple[Any, ...], clip: str = CLIP) -> dict[str, list[Any]]:
    return {"clip_sha256": [clip] * len(rows)} | {
        name: [row[place] for row in rows] for place, name in enumerate(NAMES)
    }


def votes_about_one(*rows: tuple[Any, ...]) -> tuple[ClipVotesRow, ...]:
    return clip_votes(columns(*rows))[CLIP]


def rated(session: str, score: int, role: str = "main") -> tuple[Any, ...]:
    return (role, "rate", session, score, None, None)


def chosen(session: str, choice: str, role: str = "main") -> tuple[Any, ...]:
    return (role, "compare", session, None, choice, None)


def test_a_clip_that_nobody_saw_has_no_row() -> None:
    assert clip_votes(columns()) == {}


def test_scores_have_their_mean_over_people_its_interval_and_a_count_per_point() -> None:
    # ann answered in two contexts, and counts once with 5
    (row,) = votes_about_one(rated("ann", 4), rated("ann", 6), rated("ben", 3), rated("cat", 4))
    assert (row.kind, row.role, row.n, row.votes, row.mean) == ("rate", "main", 3, 4, 4.0)
    half = stats.t.ppf(0.975, 2) / 3**0.5
    assert [row.ci_low, row.ci_high] == pytest.approx([4 - half, 4 + half])
    assert [count.votes for count in row.answers] == [0, 0, 1, 2, 0, 1, 0]
    assert [count.answer for count in row.answers] == ["1", "2", "3", "4", "5", "6", "7"]


def test_an_interval_ends_where_the_scale_ends_and_is_unknown_for_one_person() -> None:
    (two,) = votes_about_one(rated("ann", 7), rated("ben", 5))
    (row,) = votes_about_one(rated("ann", 7))
    assert (two.ci_low, two.ci_high) == (1, 7)
    assert (row.n, row.mean, row.ci_low, row.ci_high) == (1, 7.0, None, None)


def test_choices_are_counted_in_the_order_of_the_sides_and_have_no_mean() -> None:
    (row,) = votes_about_one(chosen("ann", "right"), chosen("ben", "none"), chosen("cat", "right"))
    assert row.answers == (AnswerCount("left", 0), AnswerCount("none", 1), AnswerCount("right", 2))
    assert (row.n, row.mean, row.ci_low) == (3, None, None)


def test_a_slider_has_a_mean_and_no_list_of_its_places() -> None:
    (row,) = votes_about_one(("main", "slider", "ann", None, None, 62.5), ("main", "slider", "ben", None, None, 57.5))
    assert (row.kind, row.mean, row.answers) == ("slider", 60.0, ())


def test_roles_are_told_apart_and_practice_and_second_askings_are_no_votes() -> None:
    rows = votes_about_one(
        rated("ann", 1, "training"), rated("ann", 2, "repeat"), rated("ann", 3, "control"), rated("ann", 5)
    )
    assert [(row.role, row.mean) for row in rows] == [("main", 5.0), ("control", 3.0)]


def test_each_clip_has_its_own_votes() -> None:
    one, other = columns(rated("ann", 2), rated("ben", 4)), columns(rated("ann", 7), clip=OTHER)
    found = clip_votes({name: [*one[name], *other[name]] for name in one})
    assert {clip: [(row.n, row.mean) for row in rows] for clip, rows in found.items()} == {
        CLIP: [(2, 3.0)],
        OTHER: [(1, 7.0)],
    }
