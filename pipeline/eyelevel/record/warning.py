"""The warning about hosts that a replay cannot serve."""

from collections.abc import Iterable

import click

from eyelevel.record.addresses import unserved
from eyelevel.report.words import listed


def warn_of(urls: Iterable[str]) -> None:
    """Prints the hosts that a replay cannot serve, on stderr; what the page requests from them will be missing."""
    hosts = unserved(urls)
    if hosts:
        click.echo(
            f"Warning: a replay cannot serve {listed(hosts)} (this machine's loopback, or not the address of a single "
            "machine); their content will be missing. To include it, let these servers use another address of this "
            "machine.",
            err=True,
        )
