"""`eyelevel manage`: runs management commands on a platform that `eyelevel serve` runs."""

import subprocess
import sys
from pathlib import Path

import click

from embedded.backup import DATA, reached
from embedded.data_folder import Layout
from embedded.platform import BACKEND
from embedded.processes import as_user
from eyelevel.errors import EyelevelError


class NotRunningError(EyelevelError):
    """No platform is running."""


@click.command(context_settings={"ignore_unknown_options": True})
@DATA
@click.argument("command")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def manage(data: Path, command: str, arguments: tuple[str, ...]) -> None:
    """Run a management command on a running platform: create_account, reset_account, issue_token and others.

    Exit status: that of the command.

    Example: eyelevel manage --data /srv/eyelevel reset_account anna --second-factor-off
    """
    sys.exit(run_on(data, command, *arguments))


def run_on(data: Path, *command: str) -> int:
    """Run a management command, and return its exit status; raises NotRunningError."""
    layout = Layout(data.resolve())
    if not layout.who_runs():
        start = f"eyelevel serve --data {layout.folder}"
        raise NotRunningError(f"No platform is running on {layout.folder}; start it with: {start}")
    with reached(layout, seen=[]) as platform:
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=BACKEND,
            env=platform.environment(),
            check=False,
            **as_user(platform.user),
        )
    return done.returncode
