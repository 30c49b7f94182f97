"""A full disk: how any stage knows one."""

import errno
import os
import shutil
from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# a profile, a film and reports, or a clip; where one breaks with less than this left, that is taken to be why
LEAST_BYTES = 100_000_000


def is_full(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in FULL


def check_room(folder: Path) -> None:
    """Raise the kernel's own error where there is hardly any room."""
    if shutil.disk_usage(folder).free < LEAST_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
