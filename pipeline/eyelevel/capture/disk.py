"""A full disk, told as one sentence wherever in a campaign it is met."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eyelevel.errors import NoRoomError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# a profile, a film and reports; where an attempt breaks with less than this left, that is taken to be why
LEAST_BYTES = 100_000_000


def check_room(folder: Path) -> None:
    """Raise the kernel's own error where an attempt has hardly any room."""
    if shutil.disk_usage(folder).free < LEAST_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


@contextmanager
def room_on_disk(batch: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise NoRoomError(
            f"The disk of {batch} is full; takes that are there stay. Make room and start the same command again."
        ) from error
