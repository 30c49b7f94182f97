"""A participant is compared with the others' means, from which their own votes are taken out."""

from collections import defaultdict
from statistics import StatisticsError, correlation, fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel_stats.participants import MIN_STIMULI, ParticipantRow, participant_rows

Vote = tuple[int, int, int]


def rows(votes: list[Vote]) -> tuple[ParticipantRow, ...]:
    people = sorted({person for person, _, _ in votes})
    columns = np.array(votes)
    person = np.searchsorted(people, columns[:, 0])
    return participant_rows([f"p{number}" for number in people], person, columns[:, 1], columns[:, 2].astype(float))


def by_hand(votes: list[Vote]) -> dict[str, tuple[float, float | None, float | None]]:
    """Python's statistics module in the place of arrays."""
    given: defaultdict[int, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for person, stimulus, score in votes:
        given[person][stimulus].append(score)
    means_of = {person: {clip: fmean(scores) for clip, scores in stimuli.items()} for person, stimuli in given.items()}
    found = {}
    for person, means in means_of.items():
        others = {
            clip: [theirs[clip] for other, theirs in means_of.items() if other != person and clip in theirs]
            for clip in means
        }
        points = [(value, fmean(others[clip])) for clip, value in means.items() if others[clip]]
        try:
            r = correlation(*zip(*points, strict=True)) if len(points) >= MIN_STIMULI else None
        except StatisticsError:
            r = None
        sd = stdev(means.values()) if len(means) > 1 else None
        found[f"p{person}"] = (fmean(means.values()), sd, r)
    return found


votes = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 14), st.integers(1, 5)), min_size=1, max_size=120)


@given(votes=votes)
def test_the_rows_are_those_of_plain_python(votes: list[Vote]) -> None:
    expected = by_hand(votes)
    for row in rows(votes):
        mean, sd, r = expected[row.participant]
        assert row.mean == pytest.approx(mean)
        assert row.sd == (None if sd is None else pytest.approx(sd, abs=1e-9))
        assert (row.correlation is None) == (r is None)
        assert row.correlation == (None if r is None else pytest.approx(r, abs=1e-9))


def test_who_answers_in_reverse_correlates_with_minus_one() -> None:
    scores = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    found = rows(
        [(0, n, score) for n, score in enumerate(scores)]
        + [(1, n, score) for n, score in enumerate(scores)]
        + [(2, n, 6 - score) for n, score in enumerate(scores)]
    )
    # the others of 0 and 1 are one alike and one in reverse, whose mean is 3 everywhere
    assert [row.correlation for row in found] == [None, None, -1.0]
    assert [row.stimuli for row in found] == [10, 10, 10]


def test_several_votes_on_a_stimulus_are_averaged_first() -> None:
    (row,) = rows([(0, 0, 1), (0, 0, 5), (0, 1, 5)])
    assert (row.votes, row.stimuli, row.mean, row.correlation) == (3, 2, 4.0, None)
    assert row.sd == pytest.approx(2**0.5)


def test_a_participant_without_votes_is_an_error() -> None:
    with pytest.raises(ValueError, match="no vote"):
        participant_rows(["a", "b"], np.array([0]), np.array([0]), np.array([1.0]))
