"""Equal answers are counted by kind, and are a number and no verdict."""

from eyelevel_stats.conformance.sensitivity import same_answer_share


def test_the_share_is_of_the_most_frequent_answer_of_each_kind() -> None:
    answers = [("rate", 4), ("rate", 4), ("rate", 5), ("compare", "left"), ("compare", "left")]
    assert same_answer_share(answers) == 4 / 5


def test_one_answer_to_everything_gives_one() -> None:
    assert same_answer_share([("rate", 4)] * 10 + [("compare", "none")] * 6) == 1.0


def test_without_answers_it_is_unknown() -> None:
    assert same_answer_share([]) is None
