"""The public Netflix ratings (26 subjects, 79 stimuli, all rated by all), read from the shared oracles."""

import csv
import os
from pathlib import Path

import pytest

from eyelevel_stats.observations import Rating

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[5] / "shared"))
FILE = SHARED / "oracles" / "ratings" / "nflx_public_raw.csv"
needs_netflix = pytest.mark.skipif(not FILE.exists(), reason="the oracle ratings are not there: set EYELEVEL_SHARED")


def ratings() -> list[Rating]:
    """Clips and sites (contents) are named by their numbers with leading zeros, so that they sort as numbers."""
    with FILE.open(newline="") as file:
        return [
            Rating(
                participant=f"{int(row['subject']):02}",
                site=row["content"],
                network="none",
                stack="none",
                context="none",
                clip_sha256=f"{int(row['stimulus']):03}",
                score=float(row["score"]),
            )
            for row in csv.DictReader(file)
        ]
