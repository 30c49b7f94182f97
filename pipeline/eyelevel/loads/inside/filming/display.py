"""Starts Xvfb on a free display number."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from eyelevel.loads.inside.request import Cause, VoidError

START_S = 20
# A film that waits for its page would lose frames where they matter. Without root, nice only warns.
FIRST_IN_LINE = ("nice", "-n", "-15")
# No lock file, and an abstract socket of the namespace instead of one in a folder, as both would outlive a kill -9. No
# other screen is in the namespace, so no lock is needed.
LEAVING_NOTHING = ("-nolock", "-nolisten", "unix", "-listen", "local")
# Chromium makes a window that would cover the whole screen one pixel smaller
MARGIN_PX = 16


def server(width_px: int, height_px: int, *, number_to: int) -> list[str]:
    """Returns the command line of a screen for a window of this size; it writes its number to the file descriptor."""
    screen = f"{width_px + MARGIN_PX}x{height_px + MARGIN_PX}x24"
    return [
        *FIRST_IN_LINE, "Xvfb", "-displayfd", str(number_to), "-screen", "0", screen,
        *LEAVING_NOTHING, "-nolisten", "tcp", "-noreset", "-nocursor", "-dpi", "96",
    ]  # fmt: skip


@asynccontextmanager
async def display(width_px: int, height_px: int) -> AsyncIterator[str]:
    """Returns a context with the name, such as ":3", of a screen for a window of this size."""
    reader, writer = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *server(width_px, height_px, number_to=writer),
        pass_fds=[writer],
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        number = await asyncio.wait_for(asyncio.to_thread(_first_line, reader), START_S)
        if not number:
            raise VoidError(Cause.PROCESS_DIED, "Xvfb ended before it had a display")
        yield f":{number}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _first_line(reader: int) -> str:
    with os.fdopen(reader) as pipe:
        return pipe.readline().strip()
