"""Starts the testbed, with a command inside of it, as a process that cannot outlive this one."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from eyelevel.capture.campaign import Site
from eyelevel.capture.plan import Run
from eyelevel.errors import BadInputError, NotPermittedError, ToolMissingError

STOP_S = 15
# The kernel shares the processor among sessions first. Ours holds servers, emulation, browser and film alike.
PRIORITY_OF_SESSION = "-10"
# what the testbed's own exit statuses mean to us (eyelevel-testbed run --help)
REFUSALS = {2: BadInputError, 3: NotPermittedError, 4: BadInputError}


def arguments(
    testbed: Path, run: Run, site: Site, settings: Mapping[str, Any], command: Sequence[str], *, report: Path | None
) -> list[str]:
    """The command line; setpriv has the kernel kill the testbed, and so all in it, when this process dies.

    `settings` are the campaign's, with the contract's defaults.
    """
    return [
        "setpriv", "--pdeathsig", "KILL",
        str(testbed), "run", "--recording", str(site.recording), "--stack", run.stack, "--network", run.network,
        "--seed", str(run.seed), "--scheduler", settings["scheduler"],
        "--priority-updates", settings["priority_updates"], "--group-by", settings["group_by"],
        *(["--start-url", site.start_url] if site.start_url else []),
        *(["--report", str(report)] if report else []),
        "--", *command,
    ]  # fmt: skip


def inside(folder: Path) -> list[str]:
    """The command that loads and films one page, to be run in the testbed."""
    return [sys.executable, "-m", "eyelevel.capture.inside", str(folder)]


def start(command: Sequence[str], *, limit_s: float, log: Path) -> int:
    """Run to the end and return the exit status; a run that takes longer than `limit_s` is stopped, and counts as 124.

    An interruption of this process stops it, too, and is raised again.
    """
    with log.open("ab") as talk:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=talk, stderr=talk, start_new_session=True)
        with suppress(OSError):  # not every kernel has this, and not everybody may
            Path(f"/proc/{process.pid}/autogroup").write_text(PRIORITY_OF_SESSION)
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return 124
        finally:
            _stop(process)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def probe(testbed: Path, run: Run, site: Site, settings: Mapping[str, Any]) -> None:
    """Try a run with nothing in it; raise the error that a person can act on, in the testbed's own words."""
    command = arguments(testbed, run, site, settings, ["true"], report=None)
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode != 0:
        said = told.stderr.strip().splitlines() or [f"it ended with status {told.returncode}."]
        raise REFUSALS.get(told.returncode, ToolMissingError)(
            f"{run.words}: {said[-1].removeprefix('eyelevel testbed: ')}"
        )
