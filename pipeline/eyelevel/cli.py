"""The command `eyelevel`: one subcommand per stage, loaded when it is called."""

import importlib
import signal
import sys
from importlib.metadata import entry_points

import click

from eyelevel.disk import DiskFullError, is_full
from eyelevel.errors import Exit, EyelevelError
from eyelevel_core.contracts import ContractError
from eyelevel_store import StoreError

# in the order of the flow; each value is module:command
COMMANDS = {
    "doctor": "eyelevel.doctor.command:doctor",
    "record": "eyelevel.record.command:record",
    "import": "eyelevel.importing.command:import_command",
    "profile": "eyelevel.profile.command:profile",
    "testbed": "eyelevel.testbed.command:testbed",
    "replay": "eyelevel.replay.command:replay",
    "probe": "eyelevel.probe.command:probe_command",
    "capture": "eyelevel.capture.command:capture",
    "contact-sheet": "eyelevel.contact_sheet.command:contact_sheet",
    "measure": "eyelevel.measure.command:measure",
    "batch": "eyelevel.batch.command:batch",
    "compare": "eyelevel.compare.command:compare_command",
    "push": "eyelevel.push.command:push",
    "study": "eyelevel.study.command:study",
    "simulate": "eyelevel.simulate.command:simulate",
    "analyse": "eyelevel.analyse.command:analyse",
}


class Stages(click.Group):
    """Loads a subcommand's module when it is needed, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *sorted(_added())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = {**COMMANDS, **_added()}.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - COMMANDS names commands only
        return command


def _added() -> dict[str, str]:
    """Commands of other installed packages, such as the platform's `serve`."""
    return {entry.name: entry.value for entry in entry_points(group="eyelevel.commands")}


@click.group(cls=Stages, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="eyelevel")
def eyelevel() -> None:
    """Can people see the difference between two web protocol stacks?

    record -> testbed -> replay -> probe -> capture -> measure -> batch -> compare -> push -> study -> simulate ->
    analyse
    """


def main() -> None:
    """Runs the command, and reports each expected error as one message and an exit status."""
    # a shell that starts a command in the background makes it ignore Ctrl-C, and Python then leaves it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        status = eyelevel.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        status = Exit.INTERRUPTED
    except EyelevelError as error:
        click.echo(f"eyelevel: {error}", err=True)
        status = Exit.NO_ROOM if is_full(error) else error.exit_status
    except StoreError as error:
        click.echo(f"eyelevel: {error}", err=True)
        status = Exit.UNREACHABLE if error.away else Exit.BAD_INPUT
    except ContractError as error:
        click.echo(f"eyelevel: {error}", err=True)
        status = Exit.BAD_INPUT
    except OSError as error:
        if is_full(error):
            click.echo(f"eyelevel: {DiskFullError(error.filename, str(error.strerror))}", err=True)
            status = Exit.NO_ROOM
        elif error.filename is None or error.strerror is None:  # not about a file that the user named
            raise
        else:
            click.echo(f"eyelevel: {error.filename}: {error.strerror}.", err=True)
            status = Exit.BAD_INPUT
    sys.exit(status if isinstance(status, int) else Exit.OK)
