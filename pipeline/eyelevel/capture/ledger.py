"""What a batch folder already holds: takes in their places, and the lines of attempts.jsonl. One command at a time."""

import fcntl
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eyelevel.capture.plan import Run, frame_rate
from eyelevel.errors import BadInputError, RefusedError

ATTEMPTS = "attempts.jsonl"


@contextmanager
def claimed(batch: Path) -> Iterator[None]:
    """Hold the batch folder for this process; the kernel lets go of it however the process ends."""
    batch.mkdir(parents=True, exist_ok=True)
    with (batch / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(f"Another capture is at work in {batch}; wait for it or give another --out.") from None
        yield


def taken(batch: Path, runs: Iterable[Run], settings: dict[str, Any]) -> set[str]:
    """The paths of the runs that have their take. BadInputError if one was taken by another plan."""
    found = set()
    for run in runs:
        path = batch / run.path / "take.json"
        if path.is_file():
            take = json.loads(path.read_text())
            here = (take["seed"], take["recording"], take["viewport"], take["film"]["frame_rate"])
            wanted = (run.seed, run.recording, settings["viewport"], frame_rate(settings, run.network))
            if here != wanted:
                raise BadInputError(
                    f"{path.parent} was taken by another campaign (seed, recording, viewport or frame rate differ); "
                    "give another --out."
                )
            found.add(run.path)
    return found


def attempts_so_far(batch: Path) -> dict[str, int]:
    """How many attempts each run has had, by its path. A last line torn by a crash does not count."""
    path = batch / ATTEMPTS
    counts: dict[str, int] = {}
    for line in path.read_text().splitlines() if path.is_file() else []:
        try:
            run = json.loads(line)["run"]
        except (ValueError, KeyError):
            continue
        counts[run] = counts.get(run, 0) + 1
    return counts


def note(batch: Path, run: Run, number: int, *, cause: str | None, detail: str | None) -> None:
    """Add one line for an attempt that has ended; `cause` is None for a valid one."""
    line = {
        "run": run.path,
        "attempt": number,
        "outcome": "valid" if cause is None else "void",
        "cause": cause,
        "detail": detail,
        "ended_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path = batch / ATTEMPTS
    torn = path.is_file() and not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0
    with path.open("a") as file:
        file.write(("\n" if torn else "") + json.dumps(line, ensure_ascii=False) + "\n")
