"""Builds the testbed's command line for a run, and tries a run before the campaign."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from eyelevel.errors import BadInputError, NotPermittedError, ToolMissingError
from eyelevel.loads.site import Site
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run

# what the testbed's own exit statuses mean to us (eyelevel-testbed run --help)
REFUSALS = {2: BadInputError, 3: NotPermittedError, 4: BadInputError}

# how the testbed begins to say which recorded host and port it cannot serve
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
    """The command line; setpriv has the kernel kill the testbed, and all in it, when the process that starts it dies.

    `options` say over which network, and how it is served; `volatile` is the file of the recording's volatile
    parameters.
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
    """How pages are served, as options of the testbed."""
    return [
        "--scheduler", campaign.scheduler, "--priority-updates", campaign.priority_updates,
        "--group-by", campaign.group_by,
    ]  # fmt: skip


def preflight(testbed: Path, run: Run, site: Site, options: Sequence[str]) -> list[str]:
    """Try a run with nothing in it; returns what the testbed said of hosts and ports that it cannot serve.

    Raise the error that a person can act on, in the testbed's own words.
    """
    command = arguments(testbed, run, site, options, report=None, command=["true"])
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line.removeprefix("eyelevel testbed: ") for line in told.stderr.strip().splitlines()]
    if told.returncode != 0:
        last = said[-1] if said else f"it ended with status {told.returncode}."
        raise REFUSALS.get(told.returncode, ToolMissingError)(f"{run.words}: {last}")
    return [line for line in said if line.startswith(UNSERVED)]
