"""Straight-lining and plays off speed are counted, and leave out nobody but in the sensitivity table."""

import pytest
from statsmodels.stats.proportion import proportion_confint

from eyelevel_stats.descriptive.careless import Plays, careless_rows, sensitivity_rows, straight_row
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.trust import CarelessRow
from eyelevel_stats.straight_lining import Answer


def rated(**scores: list[int]) -> dict[str, list[Answer]]:
    return {name: [("rate", score) for score in given] for name, given in scores.items()}


def plain(answers: dict[str, list[Answer]]) -> list[Rating]:
    return [
        Rating(name, "garden", "DSL", "QUIC", "work", f"c{i}", float(str(score)))
        for name, given in answers.items()
        for i, (_, score) in enumerate(given)
    ]


def test_a_participant_has_answers_of_all_kinds_and_plays() -> None:
    answers: dict[str, list[Answer]] = {"ben": [("rate", 4), ("compare", "left")], "ann": [("rate", 4)] * 5}
    assert careless_rows(answers, {"ann": Plays(8, 2)}) == (
        CarelessRow("ann", 5, "yes", 8, 2, 0.25),
        CarelessRow("ben", 2, None, None, None, None),
    )


def test_no_plays_have_no_share() -> None:
    (row,) = careless_rows(rated(ben=[2]), {"ben": Plays(0, 0)})
    assert (row.plays, row.off_speed_plays, row.off_speed_share) == (0, 0, None)


def test_the_share_of_straight_lining_is_of_those_with_enough_answers() -> None:
    answers = rated(**{f"p{i}": [3] * 5 if i < 3 else [3, 4, 3, 4, 3] for i in range(10)}, short=[3])
    row = straight_row(careless_rows(answers, {}))
    assert (row.participants, row.straight_lining, row.share) == (10, 3, 0.3)
    # Wilson's interval of statsmodels
    assert (row.ci_low, row.ci_high) == pytest.approx(proportion_confint(3, 10, method="wilson"), abs=1e-12)
    nobody = straight_row(careless_rows(rated(short=[3]), {}))
    assert (nobody.participants, nobody.share, nobody.ci_low) == (0, None, None)


def test_the_sensitivity_table_has_everyone_beside_those_that_remain() -> None:
    answers = rated(ann=[6] * 5, ben=[2, 3, 4, 3, 3], cem=[4, 5])
    rows = careless_rows(answers, {"ben": Plays(5, 1), "ann": Plays(5, 0)})
    found = sensitivity_rows(plain(answers), rows, scale=(1, 7))
    assert [(row.without, row.n, row.mos, row.n_without, row.mos_without) for row in found] == [
        ("straight-lining", 3, 4.5, 2, 3.75),
        # ann has no such play, and of cem it is unknown
        ("plays off speed", 3, 4.5, 2, 5.25),
    ]


def test_where_nobody_remains_there_is_no_mos() -> None:
    answers = rated(ann=[6] * 5)
    found = sensitivity_rows(plain(answers), careless_rows(answers, {}), scale=(1, 7))
    assert [(row.n_without, row.mos_without, row.ci_low_without) for row in found] == [(0, None, None), (1, 6.0, None)]
