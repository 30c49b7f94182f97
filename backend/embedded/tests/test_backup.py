"""`eyelevel backup` and `restore`: what they ask and when, and how they end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from embedded import backup, mount_namespace
from embedded.data_folder import Layout
from embedded.platform import Platform
from embedded.processes import ServerError


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (backup.backup, ["FILE", "--ask-passphrase"]),
        (backup.restore, ["FILE", "--ask-passphrase"]),
        # there are data, so that it asks whether they may be replaced
        (backup.restore, ["FILE"]),
    ],
)
def test_nothing_is_asked_before_the_view_is_entered(
    command: click.Command, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def enter(**_: object) -> None:
        raise ServerError("The view was entered.")

    monkeypatch.setattr(mount_namespace, "enter", enter)
    (tmp_path / "data" / "postgres").mkdir(parents=True)
    file = tmp_path / "file"
    file.touch()
    given = [str(file) if each == "FILE" else each for each in arguments]
    done = CliRunner().invoke(command, [*given, "--data", str(tmp_path / "data")])
    assert str(done.exception) == "The view was entered.", done.output


def test_a_platform_that_runs_is_named_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mount_namespace, "enter", lambda **_: None)
    file = tmp_path / "file"
    file.touch()
    data = tmp_path / "data"
    with Layout(data).held():
        done = CliRunner().invoke(backup.restore, [str(file), "--data", str(data), "--ask-passphrase"])
    assert "is already running" in str(done.exception), done.output


@pytest.mark.parametrize(
    ("program", "error", "ends_with"),
    [
        ("sys.exit(4)", SystemExit, "4"),
        ("os.kill(os.getpid(), 9)", backup.BackupFailedError, "Signal 9 ended the restore; run it again."),
    ],
)
def test_a_failure_has_the_status_and_the_message_of_the_command_that_failed(
    program: str, error: type[BaseException], ends_with: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "manage.py").write_text(f"import os, sys\n{program}\n")
    monkeypatch.setattr(backup, "BACKEND", tmp_path)
    platform = Platform(Layout(tmp_path), "127.0.0.1", 0, None)
    with pytest.raises(error) as ended:
        backup._manage(platform, "restore", secrets={})
    assert str(ended.value) == ends_with


def test_an_empty_public_key_is_not_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    @contextmanager
    def reached(*_: object, **__: object) -> Iterator[None]:
        yield

    def manage(_: object, *arguments: str, **__: object) -> None:
        asked.append(arguments)

    monkeypatch.setattr(backup, "entered", lambda *_, **__: None)
    monkeypatch.setattr(backup, "reached", reached)
    monkeypatch.setattr(backup, "_check_room", lambda *_: None)
    monkeypatch.setattr(backup, "_manage", manage)
    CliRunner().invoke(backup.backup, [str(tmp_path / "a.backup"), "--recipient", ""], catch_exceptions=False)
    assert asked == [("backup", "-", "--recipient", "")]
