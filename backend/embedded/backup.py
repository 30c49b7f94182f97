"""`eyelevel backup` and `eyelevel restore`: all data of an embedded platform in one file, and back."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from embedded import mount_namespace, processes
from embedded.data_folder import REPOSITORY, Layout
from embedded.platform import BACKEND, Platform
from eyelevel.errors import BadInputError, Exit, EyelevelError
from eyelevel_core.variables import default_of

# the management commands read both from their environment, where nobody else sees them
PASSPHRASE, IDENTITY = "EYELEVEL_BACKUP_PASSPHRASE", "EYELEVEL_BACKUP_IDENTITY"
PARTIAL = ".partial"
STREAM, STORE = "-", "s3://"
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
DATA = click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=REPOSITORY / "data",
    help="Folder of all data.  [default: data/ in the clone]",
)
PASSPHRASE_FILE = click.option(
    "--passphrase-file",
    type=FILE,
    help=f"File with the passphrase.  [default: the variable {PASSPHRASE}, if set]",
)


class BackupFailedError(EyelevelError):
    """The platform could not make or restore the backup; its own sentence stands above."""


class NoRoomError(EyelevelError):
    """The disk has too little room."""

    exit_status = Exit.NO_ROOM


@click.command()
@click.argument("place", metavar="FILE")
@DATA
@click.option("--recipient", help="Encrypt for this public key of age (age1...).  [default: none]")
@PASSPHRASE_FILE
@click.option("--ask-passphrase", is_flag=True, help="Encrypt with a passphrase that you type.")
def backup(
    *, place: str, data: Path, recipient: str | None, passphrase_file: Path | None, ask_passphrase: bool
) -> None:
    """Write all data of the platform to FILE, or to s3://BUCKET/NAME, while votes come in.

    Contains the database, the files of all batches, the snapshots, and the ledger of erasures; of the settings only
    those that are no secret. Encrypt it: the database has the secrets of second factors. FILE appears once it is
    complete.

    Exit status: 0 done, 1 failed, and nothing was written, 4 the passphrase or the folder of FILE is wrong, 8 the disk
    has too little room.

    Example: eyelevel backup /media/usb/eyelevel-2026-11-29.backup --ask-passphrase
    """
    secrets = {PASSPHRASE: _passphrase(passphrase_file, ask=ask_passphrase, twice=True)}
    options = ["--recipient", recipient] if recipient else []
    seen = [] if place.startswith(STORE) else [Path(place).resolve()]
    with reached(Layout(data.resolve()), seen=seen) as platform:
        if not seen:
            _manage(platform, "backup", place, *options, secrets=secrets)
            return
        _check_room(platform, seen[0])
        with whole_file(seen[0]) as out:
            _manage(platform, "backup", STREAM, *options, secrets=secrets, stdout=out)
    click.echo(f"Wrote {seen[0]}.", err=True)


@click.command()
@click.argument("place", metavar="[FILE]", required=False)
@DATA
@click.option("--identity", type=FILE, help="File with age's private key.  [default: none]")
@PASSPHRASE_FILE
@click.option("--ask-passphrase", is_flag=True, help="Type the passphrase.")
@click.option("--drill", is_flag=True, help="Only prove that FILE can be restored; without FILE, a backup made now.")
@click.option("--undo", is_flag=True, help="Put back what was there before the last restore.")
@click.option("--yes", is_flag=True, help="Do not ask before data are replaced.")
def restore(
    *,
    place: str | None,
    data: Path,
    identity: Path | None,
    passphrase_file: Path | None,
    ask_passphrase: bool,
    drill: bool,
    undo: bool,
    yes: bool,
) -> None:
    """Restore the platform from FILE, or from s3://BUCKET/NAME, and prove that nothing differs.

    The backup is loaded beside what is there. Then rows, votes, files, results, erasures and accounts are compared with
    the backup. Only if all are the same is it put in place. What was there before stays as a restore point.

    Exit status: 0 done, 1 failed, and nothing was changed, 4 the passphrase or FILE is wrong.

    Example: eyelevel restore /media/usb/eyelevel-2026-11-29.backup --data /srv/eyelevel
    """
    if place is None and not (drill or undo):
        raise click.UsageError("Missing argument 'FILE'.")
    if place is not None and undo:
        raise click.UsageError("--undo takes no FILE.")
    layout = Layout(data.resolve())
    secrets = {PASSPHRASE: _passphrase(passphrase_file, ask=ask_passphrase, twice=False)}
    if identity is not None:
        # the user of the services may not be able to read the file
        secrets[IDENTITY] = identity.read_text(errors="replace")
    options = [name for name, given in (("--drill", drill), ("--undo", undo)) if given]
    if not drill and layout.postgres.is_dir():
        if not yes:
            click.confirm(f"Replace the data in {layout.folder}? They stay as a restore point.", abort=True, err=True)
        options += [] if undo else ["--replace"]
    seen = [] if place is None or place.startswith(STORE) else [Path(place).resolve()]
    with reached(layout, seen=seen, only_stopped=not drill) as platform:
        if not seen:
            _manage(platform, "restore", *filter(None, [place]), *options, secrets=secrets)
            return
        with _opened(seen[0]) as source:
            _manage(platform, "restore", STREAM, *options, secrets=secrets, stdin=source)


@contextmanager
def reached(layout: Layout, *, seen: Sequence[Path], only_stopped: bool = False) -> Iterator[Platform]:
    """The platform on this data folder: the one that runs, or its engines alone while the block runs.

    `seen` are files that this command itself reads or writes. With `only_stopped` a running platform is an error.
    """
    user = processes.unprivileged_user(os.environ.get("EYELEVEL_USER", default_of("EYELEVEL_USER")))
    needed = mount_namespace.needed_by_python(REPOSITORY, layout.folder)
    try:
        layout.folder.mkdir(parents=True, exist_ok=True)
        mount_namespace.enter(needed=needed, user=user, own=[path.parent for path in seen])
        platform = Platform(layout, "127.0.0.1", 0, user)
        if layout.who_runs() and not only_stopped:
            yield platform
            return
        with layout.held(), platform.engines():
            yield platform
    except processes.ServerError as error:
        raise BackupFailedError(str(error)) from error


@contextmanager
def whole_file(target: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name once the block has ended without an error."""
    partial = target.with_name(target.name + PARTIAL)
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise BackupFailedError(f"{target} cannot be written ({error.strerror}); name another file.") from None
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _manage(
    platform: Platform,
    *arguments: str,
    secrets: Mapping[str, str | None],
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | None = None,
) -> None:
    """Run a management command that talks to the terminal itself."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=BACKEND,
        env=platform.environment() | {name: value for name, value in secrets.items() if value},
        stdin=stdin or subprocess.DEVNULL,
        stdout=stdout,
        check=False,
        **processes.as_user(platform.user),
    )
    if done.returncode != 0:
        raise BackupFailedError(f"eyelevel {arguments[0]} failed; the reason stands above.")


def _check_room(platform: Platform, target: Path) -> None:
    if not target.parent.is_dir():
        raise BadInputError(f"There is no folder {target.parent}; make it first, or name another file.")
    needed = int(json.loads(platform.manage("backup", STREAM, "--plan"))["bytes"])
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise NoRoomError(
            f"The disk of {target.parent} has {free / 1e6:,.0f} MB free, and the backup may need "
            f"{needed / 1e6:,.0f} MB."
        )


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}).") from None


def _passphrase(file: Path | None, *, ask: bool, twice: bool) -> str | None:
    if ask:
        return str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=twice, err=True))
    if file is None:
        return os.environ.get(PASSPHRASE)
    text = file.read_text(errors="replace").rstrip("\r\n")
    if not text:
        raise BadInputError(f"{file} is empty; write the passphrase into it.")
    return text
