"""The bitterness of wine (J. H. Randall, 1989), and what other software says of it, from the folder of oracles."""

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[5] / "shared"))
FOLDER = SHARED / "oracles" / "statistics"

needs_oracles = pytest.mark.skipif(not FOLDER.is_dir(), reason="EYELEVEL_SHARED has no oracles/statistics")


@dataclass(frozen=True)
class Wine:
    """72 ratings from 1 to 5; the predictors are a warm temperature, and contact of juice and skins."""

    rating: list[int]
    predictors: NDArray[np.float64]
    judge: list[str]
    bottle: list[str]


def wine() -> Wine:
    with (FOLDER / "wine.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    predictors = [[row["temp"] == "warm", row["contact"] == "yes"] for row in rows]
    return Wine(
        [int(row["rating"]) for row in rows],
        np.array(predictors, dtype=np.float64),
        [row["judge"] for row in rows],
        [row["bottle"] for row in rows],
    )


def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text())
    return found
