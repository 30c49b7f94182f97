"""`eyelevel status`: how a platform is doing, for a terminal."""

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
    """There is no platform to ask."""


@click.command()
@DATA
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(data: Path, as_json: bool) -> None:
    """Show services, queues, backups, disk, versions and errors of a running platform, as the page of health does.

    Exit status: 0 all is well, 1 something needs attention; the first lines say what.

    Example: eyelevel status --data /srv/eyelevel
    """
    layout = Layout(data.resolve())
    if not layout.who_runs():
        raise NotRunningError(f"No platform runs on {layout.folder}; start it: eyelevel serve --data {layout.folder}")
    with reached(layout, seen=[]) as platform:
        command = [sys.executable, "manage.py", "status", *(["--json"] if as_json else [])]
        done = subprocess.run(command, cwd=BACKEND, env=platform.environment(), check=False, **as_user(platform.user))
    sys.exit(done.returncode)
