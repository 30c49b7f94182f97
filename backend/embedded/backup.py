"""`eyelevel backup` and `eyelevel restore`: all data of an embedded platform to and from one file."""

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
    """The backup could not be made or restored."""


class NoRoomError(EyelevelError):
    """The disk has too little free space."""

    exit_status = Exit.NO_ROOM


@click.command()
@click.argument("place", metavar="FILE")
@DATA
@click.option("--recipient", help="Encrypt for this age public key (age1...).  [default: none]")
@PASSPHRASE_FILE
@click.option("--ask-passphrase", is_flag=True, help="Encrypt with a passphrase that you type.")
def backup(
    *, place: str, data: Path, recipient: str | None, passphrase_file: Path | None, ask_passphrase: bool
) -> None:
    """Back up all data of the platform to FILE, or to s3://BUCKET/NAME, while votes arrive.

    The backup contains the database, the files of all batches, the snapshots, the ledger of erasures, and settings that
    are not secret. Encrypt it, because the database contains secrets of second factors. FILE appears once it is
    complete.

    Exit status: 0 done, 1 failed, and nothing was written, 4 the passphrase, the public key or the folder of FILE is
    wrong, 8 the disk has too little free space.

    Example: eyelevel backup /media/usb/eyelevel-2026-11-29.backup --ask-passphrase
    """
    layout = Layout(data.resolve())
    secrets = {PASSPHRASE: _stored_passphrase(passphrase_file)}
    # an empty one, such as of an unset variable, is an error: the backup would not be encrypted
    options = [] if recipient is None else ["--recipient", recipient]
    seen = [] if place.startswith(STORE) else [Path(place).resolve()]
    entered(layout, seen=seen)
    if ask_passphrase:
        secrets[PASSPHRASE] = _typed_passphrase(twice=True)
    with reached(layout, seen=seen) as platform:
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
@click.option("--identity", type=FILE, help="File with the age private key.  [default: none]")
@PASSPHRASE_FILE
@click.option("--ask-passphrase", is_flag=True, help="Decrypt with a passphrase that you type.")
@click.option("--drill", is_flag=True, help="Only verify that FILE, or without FILE a new backup, can be restored.")
@click.option("--undo", is_flag=True, help="Restore the data from before the last restore.")
@click.option("--yes", is_flag=True, help="Replace data without asking for confirmation.")
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
    """Restore the platform from FILE, or from s3://BUCKET/NAME, after verifying the restored data.

    Loads the backup beside the current data. Then compares rows, votes, files, results, erasures and accounts with the
    backup. Replaces the current data only if all are the same, and keeps them as a restore point.

    Exit status: 0 done, 1 failed, and nothing was changed, 4 the passphrase, the private key or FILE is wrong, 8 the
    disk has too little free space.

    Example: eyelevel restore /media/usb/eyelevel-2026-11-29.backup --data /srv/eyelevel
    """
    if place is None and not (drill or undo):
        raise click.UsageError("Missing argument 'FILE'.")
    if place is not None and undo:
        raise click.UsageError("--undo takes no FILE.")
    layout = Layout(data.resolve())
    secrets = {PASSPHRASE: _stored_passphrase(passphrase_file)}
    if identity is not None:
        # the user of the services may not be able to read the file
        secrets[IDENTITY] = identity.read_text(errors="replace")
    options = [name for name, given in (("--drill", drill), ("--undo", undo)) if given]
    seen = [] if place is None or place.startswith(STORE) else [Path(place).resolve()]
    entered(layout, seen=seen)
    if not drill:
        _refuse_running(layout)
    if ask_passphrase:
        secrets[PASSPHRASE] = _typed_passphrase(twice=False)
    if not drill and layout.postgres.is_dir():
        if not yes:
            click.confirm(f"Replace the data in {layout.folder}? A restore point keeps them.", abort=True, err=True)
        options += [] if undo else ["--replace"]
    with reached(layout, seen=seen, only_stopped=not drill) as platform:
        if not seen:
            _manage(platform, "restore", *filter(None, [place]), *options, secrets=secrets)
            return
        with _opened(seen[0]) as source:
            _manage(platform, "restore", STREAM, *options, secrets=secrets, stdin=source)


def entered(layout: Layout, *, seen: Sequence[Path]) -> str | None:
    """Make all files that services need accessible to their user, and return that user.

    This may execute the command again, so it must not have prompted a person before.
    """
    user = processes.unprivileged_user(os.environ.get("EYELEVEL_USER", default_of("EYELEVEL_USER")))
    needed = mount_namespace.needed_by_python(REPOSITORY, layout.folder)
    try:
        layout.folder.mkdir(parents=True, exist_ok=True)
        mount_namespace.enter(needed=needed, user=user, for_root=[path.parent for path in seen])
    except processes.ServerError as error:
        raise BackupFailedError(str(error)) from error
    return user


def _refuse_running(layout: Layout) -> None:
    try:
        with layout.held():
            pass
    except processes.ServerError as error:
        raise BackupFailedError(str(error)) from None


@contextmanager
def reached(layout: Layout, *, seen: Sequence[Path], only_stopped: bool = False) -> Iterator[Platform]:
    """The platform on this data folder: the running one, or only its database and queue while the block runs.

    `seen` are files that this command itself reads or writes. With `only_stopped`, a running platform is an error.
    """
    user = entered(layout, seen=seen)
    try:
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
    """A temporary file that is renamed to the target if the block ends without an error."""
    partial = target.with_name(target.name + PARTIAL)
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise BackupFailedError(f"{target} cannot be written ({error.strerror}); choose another file.") from None
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
    """Run a management command whose messages go to the terminal; exits with its status if it fails."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=BACKEND,
        env=platform.environment() | {name: value for name, value in secrets.items() if value},
        stdin=stdin or subprocess.DEVNULL,
        stdout=stdout,
        check=False,
        **processes.as_user(platform.user),
    )
    if done.returncode < 0:
        raise BackupFailedError(f"Signal {-done.returncode} ended the {arguments[0]}; run it again.")
    if done.returncode > 0:
        # the command has printed the reason
        sys.exit(done.returncode)


def _check_room(platform: Platform, target: Path) -> None:
    if not target.parent.is_dir():
        raise BadInputError(f"The folder {target.parent} does not exist; create it, or choose another file.")
    needed = int(json.loads(platform.manage("backup", STREAM, "--plan"))["bytes"])
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise NoRoomError(
            f"The disk of {target.parent} has {free / 1e6:,.0f} MB free, but the backup may need "
            f"{needed / 1e6:,.0f} MB; free some space."
        )


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}); check its name and permissions.") from None


def _typed_passphrase(*, twice: bool) -> str:
    return str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=twice, err=True))


def _stored_passphrase(file: Path | None) -> str | None:
    """The passphrase from the file, which only this user may be able to read, or from the environment."""
    if file is None:
        return os.environ.get(PASSPHRASE)
    text = file.read_text(errors="replace").rstrip("\r\n")
    if not text:
        raise BadInputError(f"{file} is empty; write the passphrase into it.")
    return text
