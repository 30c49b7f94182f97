"""The estimates that reference/clmm.R compares with R's package ordinal are those that are computed today."""

import csv
from pathlib import Path

import pytest

from eyelevel_stats.ordinal.effect import OrdinalVote, arm_effect

REFERENCE = Path(__file__).parents[1] / "reference"


def test_the_committed_estimates_are_those_of_the_committed_votes() -> None:
    with (REFERENCE / "ordinal_votes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with (REFERENCE / "ordinal_effect.csv").open(newline="") as file:
        expected = {row["name"]: float(row["value"]) for row in csv.DictReader(file)}
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
    assert {name: getattr(found, name) for name in expected} == pytest.approx(expected, abs=1e-5)
