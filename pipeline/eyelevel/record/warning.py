"""Warns of what a replay does not serve."""

from collections.abc import Iterable

import click

from eyelevel.record.addresses import unserved
from eyelevel.report.words import listed


def warn_of(urls: Iterable[str]) -> None:
    """Name hosts that a replay does not serve, on stderr; what the page asks of them will be missing there."""
    hosts = unserved(urls)
    if hosts:
        click.echo(
            f"Warning: a replay cannot serve {listed(hosts)} (this machine's loopback, or not the address of one "
            "machine); what comes from there will be missing. Let these servers use another address of this machine, "
            "or do without them.",
            err=True,
        )
