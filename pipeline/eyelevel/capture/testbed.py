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
    testbed: Path, run: Run, site: Site, options: Sequence[str], *, report: Path | None, command: Sequence[str]
) -> list[str]:
    """The command line; setpriv has the kernel kill the testbed, and so all in it, when this process dies.

    `options` say over which network, and how it is served.
    """
    return [
        "setpriv", "--pdeathsig", "KILL",
        str(testbed), "run", "--recording", str(site.recording), "--stack", run.stack, *options,
        "--seed", str(run.seed),
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


def serving(settings: Mapping[str, Any]) -> list[str]:
    """What a campaign says of how its pages are served, as options of the testbed."""
    return [
        "--scheduler", settings["scheduler"], "--priority-updates", settings["priority_updates"],
        "--group-by", settings["group_by"],
    ]  # fmt: skip


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def probe(testbed: Path, run: Run, site: Site, options: Sequence[str]) -> None:
    """Try a run with nothing in it; raise the error that a person can act on, in the testbed's own words."""
    command = arguments(testbed, run, site, options, report=None, command=["true"])
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode != 0:
        said = told.stderr.strip().splitlines() or [f"it ended with status {told.returncode}."]
        raise REFUSALS.get(told.returncode, ToolMissingError)(
            f"{run.words}: {said[-1].removeprefix('eyelevel testbed: ')}"
        )
