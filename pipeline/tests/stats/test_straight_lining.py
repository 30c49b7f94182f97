"""Equal answers are counted by kind, and are a number and no verdict."""

import pytest

from eyelevel_stats.straight_lining import is_straight_lining, same_answer_share


def test_the_share_is_of_the_most_frequent_answer_of_each_kind() -> None:
    answers = [("rate", 4), ("rate", 4), ("rate", 5), ("compare", "left"), ("compare", "left")]
    assert same_answer_share(answers) == 4 / 5


def test_one_answer_to_everything_gives_one() -> None:
    assert same_answer_share([("rate", 4)] * 10 + [("compare", "none")] * 6) == 1.0


def test_without_answers_it_is_unknown() -> None:
    assert same_answer_share([]) is None


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([("rate", 4)] * 4, None),
        ([("rate", 4)] * 5, True),
        ([("rate", 4)] * 5 + [("rate", 5)], False),
        ([("rate", 4)] * 5 + [("compare", "left")] * 2, True),
        ([("rate", 4)] * 5 + [("compare", "left"), ("compare", "none")], False),
    ],
)
def test_straight_lining_is_one_answer_to_each_kind_from_five_answers_on(
    answers: list[tuple[str, int | str]], expected: bool | None
) -> None:
    assert is_straight_lining(answers) is expected
