"""A folder for temporary files that ends with the sandbox, however the sandbox ends: also by kill -9.

The testbed gives its command mounts of its own, which the kernel takes away with the last process in them. The folder
that programs share memory in is on every Linux and has a short path (Chromium's socket there may have 107 letters, so
that the attempt's folder would not do); mounted anew, it is empty, private, and not as small as in many containers.
"""

import asyncio
import os

from eyelevel.capture.inside.request import Cause, VoidError

PLACE = "/dev/shm"  # noqa: S108 - a mount of our own by the time it is used


async def make_scratch() -> None:
    """Mount it, and have this process's children put their temporary files there. Only to be called in the testbed."""
    options = "nosuid,nodev,mode=1777"
    mount = await asyncio.create_subprocess_exec("mount", "-t", "tmpfs", "-o", options, "eyelevel", PLACE)
    if await mount.wait() != 0:
        raise VoidError(Cause.PROCESS_DIED, f"{PLACE} could not be mounted for temporary files")
    os.environ["TMPDIR"] = PLACE
