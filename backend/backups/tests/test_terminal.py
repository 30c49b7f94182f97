"""Progress is written to standard error, but a terminal must not show it in the colour of errors."""

import io

import pytest
from django.core.management.base import CommandError

from backups import restoring
from backups.errors import BackupError
from backups.management.commands import backup, restore


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_has_no_colour_and_an_error_has_that_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    def undo(tell: object) -> None:
        command._tell("Putting it back")
        raise BackupError("There is no restore point.")

    terminal = Terminal()
    command = restore.Command(stderr=terminal, force_color=True)
    backup.Command(stderr=terminal, force_color=True)._tell("Reading the database")
    monkeypatch.setattr(restoring, "undo", undo)
    with pytest.raises(CommandError):
        command.handle(place=None, undo=True)
    assert terminal.getvalue() == "Reading the database\nPutting it back\n"
    command.stderr.write("CommandError")
    assert terminal.getvalue().endswith("\x1b[31;1mCommandError\n\x1b[0m")
