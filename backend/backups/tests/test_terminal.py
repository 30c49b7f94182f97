"""Progress is written to standard error, but a terminal must not show it in the colour of errors."""

import io

import pytest
from django.core.management.base import BaseCommand

from backups import restoring
from backups.errors import BackupError, BadInputError, NoRoomError
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
    with pytest.raises(SystemExit, match="1"):
        command.handle(place=None, undo=True)
    error = "\x1b[31;1meyelevel: There is no restore point.\n\x1b[0m"
    assert terminal.getvalue() == f"Reading the database\nPutting it back\n{error}"


@pytest.mark.parametrize("command", [backup.Command, restore.Command])
@pytest.mark.parametrize(("error", "status"), [(BackupError, 1), (BadInputError, 4), (NoRoomError, 8)])
def test_an_error_is_one_sentence_and_the_documented_status(
    command: type[BaseCommand], error: type[BackupError], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("It is wrong.")

    monkeypatch.setattr(backup, "noted", fail)
    monkeypatch.setattr(restoring, "undo", fail)
    terminal = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        command(stderr=terminal).handle(place="-", recipient=None, plan=False, undo=True)
    assert ended.value.code == status
    assert terminal.getvalue() == "eyelevel: It is wrong.\n"
