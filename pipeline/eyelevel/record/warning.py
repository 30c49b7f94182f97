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
            f"Warning: a replay serves IPv4 addresses and the default ports only; what comes from {listed(hosts)} will "
            "be missing there. Let these servers use port 443 or 80 and an IPv4 address, or do without them.",
            err=True,
        )
