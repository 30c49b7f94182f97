"""Rotates the logs of an embedded platform: copies a log that is too large, then truncates it."""

import shutil
from pathlib import Path

MAX_BYTES = 10_000_000
KEPT = 3


def rotate(log: Path) -> None:
    """Rotate `log` if it is larger than MAX_BYTES, and keep at most KEPT older ones; ignores errors of the disk.

    The service continues to write to the same file, which it opened for appending. Lines that it writes while the log
    is copied are lost.
    """
    try:
        if log.stat().st_size <= MAX_BYTES:
            return
        for number in range(KEPT - 1, 0, -1):
            older = log.with_name(f"{log.name}.{number}")
            if older.exists():
                older.replace(log.with_name(f"{log.name}.{number + 1}"))
        shutil.copy2(log, log.with_name(f"{log.name}.1"))
        with log.open("r+b") as file:
            file.truncate(0)
    except OSError:
        return
