"""The command `eyelevel testbed`: runs the testbed's program in its place, or opens a browser in the testbed."""

import os
from collections.abc import Sequence

import click

from eyelevel.built import find_testbed
from eyelevel.testbed.browse import browse


class Testbed(click.Group):
    """Passes every command except its own subcommands to the testbed's program."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["browse"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return browse if cmd_name == "browse" else _passed_on(cmd_name)


@click.command(
    cls=Testbed,
    invoke_without_command=True,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []},
)
@click.pass_context
def testbed(ctx: click.Context) -> None:
    """Replay a recording behind an emulated network, and run any command as its client.

    Example: eyelevel testbed run --recording site.warc.gz --stack QUIC --network MSS --seed 1 -- COMMAND
    """
    if ctx.invoked_subcommand is None:
        _become([])


def _passed_on(first: str) -> click.Command:
    def passed_on(arguments: Sequence[str]) -> None:
        _become([first, *arguments])

    return click.Command(
        first,
        callback=passed_on,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []},
    )


def _become(arguments: Sequence[str]) -> None:
    program = find_testbed()
    # this process becomes the program, so that a signal to one ends the other
    os.execv(program, [str(program), *arguments])  # noqa: S606 - no shell is wanted
