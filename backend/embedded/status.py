"""`eyelevel status`: how a platform is doing, for a terminal."""

import sys
from pathlib import Path

import click

from embedded.backup import DATA
from embedded.manage import run_on


@click.command()
@DATA
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(data: Path, as_json: bool) -> None:
    """Show services, queues, backups, disk, versions and errors of a running platform, as the page of health does.

    Exit status: 0 all is well, 1 something needs attention; the first lines say what.

    Example: eyelevel status --data /srv/eyelevel
    """
    sys.exit(run_on(data, "status", *(["--json"] if as_json else [])))
