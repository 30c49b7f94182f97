"""Mount namespace in which unprivileged services can reach their files if the supervisor is root.

The user of the services cannot enter a clone or a Python below a closed folder such as root's home. Root then gives the
supervisor a private mount namespace, in which each closed folder on the way is replaced by an empty folder with only
the needed paths. Nothing changes outside of it, and the kernel removes it with the last process.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from embedded.processes import ServerError, check_reachable

INSIDE = "EYELEVEL_IN_VIEW"


def closed_folder(path: Path) -> Path | None:
    """The topmost folder above `path` that not every user may enter; None if there is none."""
    for folder in reversed((path / "inside").parents):
        if folder.is_dir() and not folder.stat().st_mode & 0o001:
            return folder
    return None


def plan(needed: Iterable[Path]) -> dict[Path, list[Path]]:
    """Map each closed folder to the needed paths below it, of which none is inside another."""
    shown: dict[Path, list[Path]] = {}
    for path in sorted({path.resolve() for path in needed}):
        closed = closed_folder(path)
        if closed is None:
            continue
        below = shown.setdefault(closed, [])
        if not any(path.is_relative_to(other) for other in below):
            below.append(path)
    return shown


def needed_by_python(*paths: Path) -> list[Path]:
    """`paths`, and the paths that the running Python needs to start again."""
    return [*paths, Path(sys.base_prefix), Path(sys.prefix)]


def enter(*, needed: Sequence[Path], user: str | None, for_root: Sequence[Path] = ()) -> None:
    """Make `needed` reachable for `user`: return if it is, or else execute this command again in a mount namespace.

    `for_root` are paths that the command itself needs there, as root. Raises ServerError if neither is possible.
    """
    if user is None or not plan(needed):
        return
    if INSIDE in os.environ:
        _build(plan([*needed, *for_root]))
        for path in needed:
            check_reachable(path / "inside", user=user)
        return
    closed = ", ".join(str(folder) for folder in plan(needed))
    unshare = shutil.which("unshare")
    command = [unshare or "unshare", "--mount", "--propagation", "private"]
    if unshare is None or subprocess.run([*command, "true"], capture_output=True, check=False).returncode != 0:
        raise ServerError(
            f"The user {user} of the servers cannot enter {closed}, and root cannot create a mount namespace on this "
            "machine; clone into a folder that everybody may enter, e.g. /opt/eyelevel, or run as an ordinary user."
        )
    os.execve(  # noqa: S606 - a list of arguments, no shell
        command[0], [*command, sys.executable, *sys.orig_argv[1:]], {**os.environ, INSIDE: "1"}
    )


def _build(shown: dict[Path, list[Path]]) -> None:
    for closed, paths in shown.items():
        with tempfile.TemporaryDirectory(prefix="eyelevel-view-") as staging:
            held = []
            for number, path in enumerate(paths):
                place = Path(staging) / str(number)
                place.mkdir()
                _mount("--bind", path, place)
                held.append((place, path))
            _mount("-t", "tmpfs", "-o", "mode=0755,size=1m", "eyelevel-view", closed)
            for place, path in held:
                _make_way(path)
                _mount("--move", place, path)


def _make_way(path: Path) -> None:
    """Create the folder and its parents for every user to enter, whatever root's umask is."""
    before = os.umask(0o022)
    try:
        path.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(before)


def _mount(*arguments: str | Path) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ServerError(f"mount {' '.join(map(str, arguments))} failed: {done.stderr.strip()}")
