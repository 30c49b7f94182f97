"""Runs a single download: starts the testbed, and reads the reports of testbed and browser."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import BadInputError, NotPermittedError
from eyelevel.stacks import Stack
from eyelevel_core.contracts import check
from eyelevel_core.model.wire import WireReport
from eyelevel_papers.download.measured import Download, measured, why_void
from eyelevel_papers.download.networks import Network

# errors for the exit statuses of the testbed (eyelevel-testbed run --help)
REFUSALS = {2: BadInputError, 3: NotPermittedError, 4: BadInputError}


@dataclass(frozen=True)
class Asked:
    """The parameters that all downloads share. `limit_s` ends a download that takes longer."""

    testbed: Path
    recording: Path
    body_bytes: int
    limit_s: float


@dataclass(frozen=True)
class Failed:
    """A download that is not valid, with the reason."""

    reason: str


def download(asked: Asked, stack: Stack, network: Network, *, run: int, seed: int) -> Download | Failed:
    """Runs one download. Raise BadInputError or NotPermittedError, with the testbed's message, if it does not start."""
    with tempfile.TemporaryDirectory(prefix="eyelevel-download-") as folder:
        report = Path(folder) / "wire.json"
        command: Sequence[str] = [
            "setpriv", "--pdeathsig", "KILL",
            str(asked.testbed), "run", "--recording", str(asked.recording), "--stack", stack.name,
            *network.options, "--seed", str(seed), "--report", str(report), "--series",
            "--", sys.executable, "-m", "eyelevel_papers.download.inside", stack.way, str(1000 * asked.limit_s),
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=asked.limit_s + 30)
        except subprocess.TimeoutExpired:
            return Failed(f"it took more than {asked.limit_s:g} s")
        if done.returncode != 0 or not report.is_file():
            words = [line.removeprefix("eyelevel testbed: ") for line in done.stderr.strip().splitlines()]
            message = words[-1] if words else f"the testbed ended with status {done.returncode}"
            if done.returncode in REFUSALS and not report.is_file():
                raise REFUSALS[done.returncode](f"The testbed refused: {message}")
            return Failed(message)
        content = json.loads(report.read_text())
        check(content, "wire.1", source=str(report))
        wire, browser = WireReport.of(content), json.loads(done.stdout)
    reason = why_void(wire)
    if reason is None and browser["duration_ms"] > 1000 * asked.limit_s:
        reason = f"it took {browser['duration_ms'] / 1000:.1f} s, and the limit is {asked.limit_s:g} s"
    if reason is None and browser["body_bytes"] != asked.body_bytes:
        reason = f"{browser['body_bytes']} bytes came instead of {asked.body_bytes}"
    down, up = wire.link.down.series, wire.link.up.series
    if reason is not None or down is None or up is None:
        return Failed(reason or "the testbed left no series; run make testbed")
    return measured(browser, wire, down, up, network=network.label, run=run)
