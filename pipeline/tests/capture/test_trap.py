"""The trap of nytimes.com in 2019, filmed: the stack that loads sooner is complete later, for its banner comes late."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eyelevel.batch.agreement import firsts, quarrel
from tests.loads.needs import needs_testbed

CAMPAIGN = Path(__file__).resolve().parents[2] / "campaigns" / "trap.toml"
# a frame at 30 a second, ten times: what a busy machine may add to a run
CLEARLY_MS = 333


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_over_a_satellite_quic_loads_the_page_sooner_and_completes_it_later(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    command = ["capture", str(CAMPAIGN), "--out", str(batch), "--no-calibrate", "--no-clips", "--no-probe"]
    done = subprocess.run([sys.executable, "-m", "eyelevel", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # an attempt each: none was repeated
    assert len((batch / "attempts.jsonl").read_text().splitlines()) == 2

    folders = {stack: batch / "takes" / "harbour" / "satellite" / stack / "run-01" for stack in ("TCP+", "QUIC")}
    takes = {stack: json.loads((folder / "take.json").read_text()) for stack, folder in folders.items()}
    tcp, quic = (takes[stack]["metrics"] for stack in ("TCP+", "QUIC"))
    assert {take["outcome"] for take in takes.values()} == {"settled"}
    for sooner in ("fvc_ms", "plt_ms"):
        assert quic[sooner] < tcp[sooner] - CLEARLY_MS, (sooner, tcp, quic)
    for later in ("vc85_ms", "lvc_ms"):
        assert quic[later] > tcp[later] + CLEARLY_MS, (later, tcp, quic)
    # what the researcher's clip says over both pages
    said = quarrel(firsts(tcp, quic, frame_ms=1000 / 30), ["TCP+", "QUIC"]) or ""
    by_stack = {part.split(": ")[1].split()[0]: part.split(": ")[0].split(", ") for part in said.split("; ")}
    assert {"VC85", "LVC"} <= set(by_stack["TCP+"])
    assert {"FVC", "PLT"} <= set(by_stack["QUIC"])
    # both arms were served the same: the banner only falls on the other side of load
    (scene,) = json.loads((batch / "fidelity.json").read_text())
    assert scene["differences"] == scene["settings_differ"] == []
    assert {stack: auctions(folder) for stack, folder in folders.items()} == {"TCP+": 0, "QUIC": 1}


def auctions(folder: Path) -> int:
    responses: list[dict[str, Any]] = json.loads((folder / "responses.json").read_text())
    return sum(response["url"].endswith("/auction.json") for response in responses)
