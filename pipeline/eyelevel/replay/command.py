"""The command `eyelevel testbed`: replaces itself by the testbed's program."""

import os

import click

from eyelevel.replay.binary import find_testbed


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []}
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def testbed(arguments: tuple[str, ...]) -> None:
    """Replay a recording behind an emulated network, and run any command as its client.

    Example: eyelevel testbed run --recording site.warc.gz --stack QUIC --network MSS --seed 1 -- COMMAND
    """
    program = find_testbed()
    # this process becomes the program, so that a signal to one ends the other
    os.execv(program, [str(program), *arguments])  # noqa: S606 - no shell is wanted
