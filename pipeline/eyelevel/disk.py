"""Detection of a full disk, and the error with exit status 8 that reports it."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eyelevel.errors import Exit, EyelevelError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# A take or a clip with all temporary files stays below this; with less free space a disk counts as full.
RESERVE_BYTES = 100_000_000
# The film of a page that never stops painting has no bound: it ends while this part of the reserve is still free.
FLOOR_BYTES = RESERVE_BYTES // 2


class DiskFullError(EyelevelError):
    """The disk is full. Files written before are kept, and the same command continues once there is space."""

    exit_status = Exit.NO_ROOM

    def __init__(self, place: Path | str | None, detail: str) -> None:
        self._given = (place, detail)
        disk = "The disk" if place is None else f"The disk of {place}"
        super().__init__(
            f"{disk} is full ({detail}); finished files are kept. Free some space, and run the same command again."
        )

    def __reduce__(self) -> tuple[type["DiskFullError"], tuple[Path | str | None, str]]:
        return DiskFullError, self._given


@contextmanager
def room(folder: Path, *, needed_bytes: int = 0) -> Iterator[None]:
    """Raises DiskFullError if a full disk of `folder` stops or breaks the work inside the block.

    Browsers, encoders and decoders fail in different ways on a full disk. An error inside the block is therefore
    reported as a full disk if the kernel reports one, or if less than `needed_bytes` are free while the files of the
    failed work still exist. With less free space, the work does not start.
    """
    check_free(folder, needed_bytes)
    try:
        yield
    except DiskFullError:
        raise
    except Exception as error:
        if is_full(error):
            raise DiskFullError(folder, "no space left on device") from error
        try:
            check_free(folder, needed_bytes)
        except DiskFullError as full:
            raise full from error
        raise


def is_full(error: BaseException | None) -> bool:
    """Returns whether the kernel reported a full disk or an exhausted quota, in this error or in its causes."""
    while error is not None:
        if isinstance(error, DiskFullError) or (isinstance(error, OSError) and error.errno in FULL):
            return True
        error = error.__cause__
    return False


def check_free(folder: Path, needed_bytes: int) -> None:
    """Raises DiskFullError if fewer bytes are free."""
    if needed_bytes and (free := shutil.disk_usage(folder).free) < needed_bytes:
        raise DiskFullError(folder, f"{free / 1e6:.0f} MB are free, {needed_bytes / 1e6:.0f} MB are needed")
