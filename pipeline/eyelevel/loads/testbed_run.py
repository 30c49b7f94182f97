"""Builds the testbed's command line for a run, and tries a run before the campaign."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from eyelevel.errors import BadInputError, NotPermittedError, ToolMissingError
from eyelevel.loads.site import Site
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run

# errors by exit status of the testbed (eyelevel-testbed run --help)
REFUSALS = {2: BadInputError, 3: NotPermittedError, 4: BadInputError}

# how the testbed's line about a recorded host and port that it cannot serve begins
UNSERVED = "replay cannot serve "


def arguments(
    testbed: Path,
    run: Run,
    site: Site,
    options: Sequence[str],
    *,
    report: Path | None,
    command: Sequence[str],
    volatile: Path | None = None,
) -> list[str]:
    """Returns the command line; by setpriv, the kernel kills the testbed with all its processes if the parent dies.

    `options` give the network and how pages are served; `volatile` is the file of the recording's volatile parameters.
    """
    return [
        "setpriv", "--pdeathsig", "KILL",
        str(testbed), "run", "--recording", str(site.recording), "--stack", run.stack, *options,
        "--seed", str(run.seed),
        *(["--start-url", site.start_url] if site.start_url else []),
        *(["--volatile", str(volatile)] if volatile else []),
        *(["--report", str(report)] if report else []),
        "--", *command,
    ]  # fmt: skip


def serving(campaign: Campaign) -> list[str]:
    """Returns how pages are served, as options of the testbed."""
    return [
        "--scheduler", campaign.scheduler, "--priority-updates", campaign.priority_updates,
        "--group-by", campaign.group_by,
    ]  # fmt: skip


def preflight(testbed: Path, run: Run, site: Site, options: Sequence[str]) -> list[str]:
    """Tries an empty run, and returns the testbed's lines about hosts and ports that it cannot serve.

    Raises an error with the testbed's own message if the run fails.
    """
    command = arguments(testbed, run, site, options, report=None, command=["true"])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line.removeprefix("eyelevel testbed: ") for line in done.stderr.strip().splitlines()]
    if done.returncode != 0:
        last = lines[-1] if lines else f"it ended with status {done.returncode}."
        raise REFUSALS.get(done.returncode, ToolMissingError)(f"{run.words}: {last}")
    return [line for line in lines if line.startswith(UNSERVED)]
