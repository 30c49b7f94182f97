"""Our estimates of the crossed model are those of R's package ordinal.

reference/ordinal_r.csv is from reference/clmm.R, by R 4.2.2 and ordinal 2022.11.16.
"""

import csv
from pathlib import Path

import pytest

from eyelevel_stats.ordinal.effect import OrdinalVote, arm_effect

REFERENCE = Path(__file__).parents[1] / "reference"


def test_estimates_with_crossed_effects_and_slopes_are_those_of_r() -> None:
    with (REFERENCE / "ordinal_votes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with (REFERENCE / "ordinal_r.csv").open(newline="") as file:
        theirs = {row["name"]: float(row["value"]) for row in csv.DictReader(file)}
    found = arm_effect(
        [
            OrdinalVote(
                row["participant"], row["site"], row["clip"], row["network"], row["arm"] == "1", int(row["score"])
            )
            for row in rows
        ]
    )
    # no term is 0 and none left out, so that R fits the same model
    assert (found.votes, found.converged, found.why) == (480, True, "")
    assert {name: getattr(found, name) for name in theirs} == pytest.approx(theirs, abs=1e-4)
