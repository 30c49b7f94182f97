"""The frames and results that sitespeedio/browsertime (Apache-2.0) pins in its own tests."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.measure.command import measure

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).parents[4] / "shared"))
FRAMES = SHARED / "oracles" / "visual_metrics"
PROGRESS = (
    "0=0, 920=69, 1000=69, 1080=69, 1200=72, 1240=73, 1280=88, 1360=90, 1400=91, 1520=98, 2040=98, 2600=98, "
    "3160=98, 3720=98, 4280=99, 4880=99, 5440=99, 6000=100"
)


@pytest.mark.skipif(not FRAMES.is_dir(), reason="EYELEVEL_SHARED has no oracles/visual_metrics")
def test_the_oracle_frames_give_the_pinned_results() -> None:
    result = CliRunner().invoke(measure, [str(FRAMES), "--json"], catch_exceptions=False)
    measured = json.loads(result.stdout)
    assert ", ".join(f"{ms}={percent}" for ms, percent in measured.pop("progress")) == PROGRESS
    assert measured == {"fvc_ms": 920, "si_ms": 1125, "vc85_ms": 1280, "lvc_ms": 6000}
