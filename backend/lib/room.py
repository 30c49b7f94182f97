"""Free space of the disk: the reserve for running sessions, and errors of a full disk."""

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError

from eyelevel_store import StoreError
from lib.problems import Problem

# with less free space than this, a database that does not answer has probably run out of space too
NOTHING_BYTES = 16 << 20
RETRY_AFTER_S = 30
FULL = (errno.ENOSPC, errno.EDQUOT)


def disk_usage() -> tuple[int, int]:
    """Free and total bytes of the disk for uploads, which is also that of the store if the store is a folder."""
    usage = shutil.disk_usage(_existing(Path(settings.SCRATCH_DIR)))
    return usage.free, usage.total


def free_bytes() -> int:
    """Free bytes on that disk."""
    return disk_usage()[0]


def spare_bytes() -> int:
    """Free bytes above the reserve."""
    return max(free_bytes() - int(settings.DISK_RESERVE_BYTES), 0)


def has_reserve() -> bool:
    """Whether at least the reserve is free (EYELEVEL_DISK_RESERVE_MB)."""
    return free_bytes() >= int(settings.DISK_RESERVE_BYTES)


def demand_reserve(what: str) -> None:
    """Raise Problem 507 if only the reserve is left, which is for the answers of running sessions."""
    if not has_reserve():
        raise Problem(
            507,
            "no_room",
            f"The server's disk is almost full, so {what} is not possible now. Please try again later.",
            retry=True,
            details={"retry_after_s": RETRY_AFTER_S},
        )


def no_room(error: BaseException) -> Problem | None:
    """The Problem for an error of a full disk, or of a database or store that does not answer; else None."""
    chain = list(_causes(error))
    if is_full(error):
        return _full()
    if any(isinstance(each, StoreError) for each in chain):
        return Problem(
            503,
            "unavailable",
            "The file store does not answer at the moment. Please try again shortly.",
            retry=True,
            details={"retry_after_s": 5},
        )
    if not any(isinstance(each, OperationalError | InterfaceError) for each in chain):
        return None
    if free_bytes() < NOTHING_BYTES:
        return _full()
    return Problem(
        503,
        "unavailable",
        "The database does not answer at the moment. Please try again shortly.",
        retry=True,
        details={"retry_after_s": 5},
    )


def _full() -> Problem:
    message = "The server's disk is full, so nothing more can be stored. Please try again later."
    return Problem(507, "no_room", message, retry=True, details={"retry_after_s": RETRY_AFTER_S})


def is_full(error: BaseException) -> bool:
    """Whether the error, or one of its causes, is that of a full disk, of this process or of the database."""
    return any(
        isinstance(each, psycopg.errors.DiskFull) or (isinstance(each, OSError) and each.errno in FULL)
        for each in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _existing(path: Path) -> Path:
    while not path.exists():
        path = path.parent
    return path
