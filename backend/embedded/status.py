"""`eyelevel status`: prints the state of a running platform."""

import sys
from pathlib import Path

import click

from embedded.backup import DATA
from embedded.manage import run_on


@click.command()
@DATA
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(data: Path, as_json: bool) -> None:
    """Show services, queues, backups, disk, versions and errors of a running platform, as on the health page.

    Exit status: 0 nothing needs attention, 1 something needs attention; see the first lines.

    Example: eyelevel status --data /srv/eyelevel
    """
    sys.exit(run_on(data, "status", *(["--json"] if as_json else [])))
