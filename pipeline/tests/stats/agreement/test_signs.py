"""The sign of a metric's difference against the majority of those who decided."""

from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

from eyelevel_stats.agreement.signs import SideVote, sign_matches
from eyelevel_stats.rows.metrics import SignRow


def votes(
    stimulus: str, left: float | None, right: float | None, choices: str, *, network: str = "DSL"
) -> list[SideVote]:
    """One participant per letter: l, r, n."""
    names: dict[str, Any] = {"l": "left", "r": "right", "n": "none"}
    return [
        SideVote(f"p{number}", stimulus, network, left, right, names[letter]) for number, letter in enumerate(choices)
    ]


def only(side_votes: list[SideVote], **options: Any) -> SignRow:
    (row,) = sign_matches({"si": side_votes}, **options)
    return row


def test_a_smaller_value_on_the_side_that_most_chose_agrees() -> None:
    side_votes = votes("a", 900, 1200, "llrn") + votes("b", 900, 1200, "lrr") + votes("c", 1500, 700, "rnnnn")
    row = only(side_votes)
    assert (row.clips, row.agreeing) == (3, 2)
    assert row.share == pytest.approx(2 / 3)
    expected = proportion_confint(2, 3, method="wilson")
    assert (row.ci_low, row.ci_high) == pytest.approx(expected)
    assert row.why is None


def test_a_larger_value_agrees_where_higher_is_better() -> None:
    assert only(votes("a", 900, 1200, "r"), higher_is_better={"si"}).agreeing == 1
    assert only(votes("a", 900, 1200, "l"), higher_is_better={"si"}).agreeing == 0
    assert only(votes("a", 900, 1200, "l"), higher_is_better={"plt"}).agreeing == 1


def test_answers_of_no_difference_make_no_majority() -> None:
    row = only(votes("a", 900, 1200, "nnn") + votes("b", 900, 1200, "lrn"))
    assert (row.clips, row.without_majority, row.without_difference) == (0, 2, 0)
    assert (row.share, row.ci_low, row.ci_high) == (None, None, None)
    assert row.why == "no clip has both a majority and a difference of the metric"


def test_equal_and_unknown_values_do_not_count() -> None:
    row = only(
        votes("a", 900, 900, "l") + votes("b", None, 1200, "l") + votes("c", 1, None, "l") + votes("d", 1, 2, "l")
    )
    assert (row.clips, row.agreeing, row.without_majority, row.without_difference) == (1, 1, 0, 3)


def test_a_participant_who_answers_several_times_counts_once() -> None:
    often = [SideVote("often", "a", "DSL", 900, 1200, "right")] * 3
    assert only(votes("a", 900, 1200, "ll") + often).agreeing == 1
    torn = [SideVote("torn", "a", "DSL", 900, 1200, choice) for choice in ("left", "right")]
    assert only(votes("a", 900, 1200, "l") + torn).agreeing == 1
    assert only(torn).without_majority == 1


def test_all_networks_come_first_and_then_each() -> None:
    side_votes = votes("a", 1, 2, "l") + votes("b", 1, 2, "r", network="LTE") + votes("c", 1, 2, "l", network="LTE")
    other = [vote._replace(left=2, right=1) for vote in side_votes]
    rows = sign_matches({"si": side_votes, "plt": other})
    assert [(row.network, row.metric, row.agreeing, row.clips) for row in rows] == [
        ("all", "si", 2, 3), ("all", "plt", 1, 3),
        ("DSL", "si", 1, 1), ("DSL", "plt", 0, 1),
        ("LTE", "si", 1, 2), ("LTE", "plt", 1, 2),
    ]  # fmt: skip


def test_no_votes_give_a_row_without_share() -> None:
    assert (only([]).network, only([]).clips, only([]).share) == ("all", 0, None)


@pytest.mark.parametrize("other", [{"left": 800}, {"right": None}, {"network": "LTE"}])
def test_a_stimulus_with_two_values_or_networks_is_refused(other: dict[str, Any]) -> None:
    side_votes = votes("a", 900, 1200, "lr")
    with pytest.raises(ValueError, match="Stimulus a has network and si of"):
        only([side_votes[0], side_votes[1]._replace(**other)])


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="A value of si is not a finite number"):
        only(votes("a", float("nan"), 1, "l"))
