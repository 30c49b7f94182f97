"""`make study-2019` in small: one real recording from film to the analysis of the export, and nothing done twice."""

import csv
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.root, pytest.mark.browser, pytest.mark.services, pytest.mark.soak]

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDINGS = Path(os.environ.get("EYELEVEL_SHARED", REPOSITORY.parent / "shared")) / "recordings"
STUDY = REPOSITORY / "docs" / "guides" / "study-2019.yaml"
PARTICIPANTS = 3
STACKS = ("TCP+", "QUIC")
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "rehearsal"
seed = 2019
max_outside_share = 1  # beside other programs
runs = 1
networks = ["LTE"]
stacks = {json.dumps(STACKS)}
pairs = [{json.dumps(STACKS)}]
clips = {{ researcher = false, control_delay_ms = 10000 }}

[[sites]]
name = "wikipedia"
recording = "wikipedia.warc.gz"
"""


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings are not there: set EYELEVEL_SHARED")
def test_a_real_recording_goes_through_a_study_and_nothing_is_done_twice(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    campaign, out = tmp_path / "campaign.toml", tmp_path / "out"
    campaign.write_text(CAMPAIGN)
    command = [sys.executable, "-m", "eyelevel", "rehearse", campaign, STUDY, "--out", out, "--recordings", RECORDINGS]
    command += ["--participants", str(PARTICIPANTS), "--port", "0", "--exit-when-ready"]
    first = rehearse(command)
    assert '"completed": 3' in first
    votes = counted(out)
    # who rates a delayed video well is excluded
    used = votes["compare", ""]
    assert 1 <= used <= PARTICIPANTS
    assert votes == {("rate", "TCP+"): used, ("rate", "QUIC"): used, ("compare", ""): used}
    report = (out / "report" / "report.html").read_text()
    assert "H1 is " in report
    assert "were simulated" in report
    assert (out / "report" / "correlations.csv").exists()
    again = rehearse(command)
    assert "nothing had to be sent" in again
    assert f"{PARTICIPANTS} already completed" in again
    assert '"completed"' not in again
    assert "Participants enter at" in first
    assert "Participants enter at" not in again
    assert counted(out) == votes


def rehearse(command: list[object]) -> str:
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "The study is ready after" in done.stdout
    return done.stdout


def counted(out: Path) -> dict[tuple[str, str], int]:
    """Votes that are data, by kind of trial and stack."""
    with zipfile.ZipFile(out / "export.zip") as export:
        rows = csv.DictReader(export.read("votes.csv").decode().splitlines())
        found: dict[tuple[str, str], int] = {}
        for row in rows:
            if row["role"] == "main":
                key = row["trial_kind"], row["stack"]
                found[key] = found.get(key, 0) + 1
    return found
