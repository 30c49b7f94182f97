"""Errors that a person can act on become a sentence and an exit status, and so does a full disk, whoever meets it."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from eyelevel import cli
from eyelevel.errors import BadInputError, Exit, EyelevelError

FULL = [errno.ENOSPC, errno.EDQUOT]


def ended(monkeypatch: pytest.MonkeyPatch, error: Exception) -> int:
    """The status of a command that meets `error`."""

    def meets() -> None:
        raise error

    monkeypatch.setattr(cli, "eyelevel", click.Command("eyelevel", callback=meets))
    monkeypatch.setattr(sys, "argv", ["eyelevel"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert isinstance(caught.value.code, int)
    return int(caught.value.code)


@pytest.mark.parametrize("number", FULL)
def test_a_full_disk_has_its_own_status_also_where_no_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    assert ended(monkeypatch, OSError(number, os.strerror(number))) == Exit.NO_ROOM
    ending = f"({os.strerror(number)}); finished files are kept. Free some space, and run the same command again.\n"
    assert capsys.readouterr().err == f"eyelevel: The disk is full {ending}"
    assert ended(monkeypatch, OSError(number, os.strerror(number), "sheets/index.html")) == Exit.NO_ROOM
    assert capsys.readouterr().err == f"eyelevel: The disk of sheets/index.html is full {ending}"


def test_a_full_disk_behind_an_error_of_ours_keeps_its_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = BadInputError("report cannot be a folder for the report: No space left on device.")
    error.__cause__ = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "report")
    assert ended(monkeypatch, error) == Exit.NO_ROOM
    assert capsys.readouterr().err == f"eyelevel: {error}\n"


def test_other_errors_keep_theirs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(monkeypatch, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "batch")) == Exit.BAD_INPUT
    assert capsys.readouterr().err == "eyelevel: batch: No such file or directory.\n"
    assert ended(monkeypatch, EyelevelError("It broke.")) == Exit.FAILED


HANGS = """#!/bin/sh
echo > "$(dirname "$0")/began"
exec sleep 60
"""


def test_a_command_whose_parent_ignored_ctrl_c_is_ended_by_it(tmp_path: Path) -> None:
    testbed = tmp_path / "testbed"
    testbed.write_text(HANGS)
    testbed.chmod(0o755)
    campaign = Path(__file__).resolve().parents[1] / "campaigns" / "demo.toml"
    process = subprocess.Popen(
        # what a shell does to a command in the background
        [
            *("sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-m", "eyelevel", "capture"),
            *(str(campaign), "--out", str(tmp_path / "batch"), "--dry-run"),
        ],
        env={**os.environ, "EYELEVEL_TESTBED": str(testbed)},
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while not (tmp_path / "began").exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert (process.returncode, said.lstrip()) == (Exit.INTERRUPTED, "Interrupted.\n")


def test_the_code_of_a_command_is_in_the_folder_of_its_name() -> None:
    odd = {"import": "importing"}  # a keyword names no package
    for name, target in cli.COMMANDS.items():
        folder = odd.get(name, name.replace("-", "_"))
        assert target.startswith(f"eyelevel.{folder}."), name


def test_no_module_has_the_name_of_a_folder_of_the_package() -> None:
    root = Path(cli.__file__).parent
    folders = {path.parent.name for path in root.glob("*/__init__.py")}
    assert "replay" in folders
    assert [str(path.relative_to(root)) for path in root.rglob("*.py") if path.stem in folders] == []
