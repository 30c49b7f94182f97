"""Every command's help has an example, and every option's help says what it does and what holds without it."""

from collections.abc import Iterator

import click
import pytest

from eyelevel.cli import eyelevel


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(eyelevel)
    for name in eyelevel.list_commands(context):
        command = eyelevel.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                found = command.get_command(context, below)
                assert found is not None
                yield f"{name} {below}", found
        else:
            yield name, command


OPTIONS = [
    pytest.param(option, id=f"{name} {option.opts[0]}")
    for name, command in commands()
    for option in command.params
    if isinstance(option, click.Option)
]


@pytest.mark.parametrize("command", [pytest.param(command, id=name) for name, command in commands()])
def test_a_command_has_a_help_with_an_example(command: click.Command) -> None:
    assert command.help is not None
    assert "Example" in command.help


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_says_what_it_does_and_its_default(option: click.Option) -> None:
    assert option.help
    names_default = option.show_default or "[default: " in option.help
    assert option.required or option.is_flag or option.multiple or names_default, option.help
