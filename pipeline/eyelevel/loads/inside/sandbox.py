"""The testbed's client namespaces with a screen, kept open so that programs can enter them one by one.

The testbed runs one command in there; ours prepares the sandbox, prints its variables, and waits. All programs started
with `enter` end with it at the latest: the kernel ends all processes in the testbed's PID namespace.
"""

import asyncio
import shlex
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.filming.display import START_S, server
from eyelevel.loads.inside.request import Cause, VoidError

# A folder for temporary files that ends with the sandbox, however it ends: also by kill -9. The folder that programs
# share memory in is on every Linux and has a short path (Chromium's socket there may have 107 letters); mounted again,
# it is empty, private, and not as small as in many containers.
PLACE = Path("/dev/shm")  # noqa: S108 - a mount of our own
MOUNT = ["mount", "-t", "tmpfs", "-o", "nosuid,nodev,mode=1777", "eyelevel", str(PLACE)]
VARIABLES = ("EYELEVEL_START_URL", "EYELEVEL_RESOLVER_RULES", "EYELEVEL_SPKI")
# a page with very many hosts has long rules
LONGEST_LINE = 1 << 20
STOP_S = 15


def holding(width_px: int, height_px: int) -> list[str]:
    """Returns the command to run in the testbed: it prints the testbed's variables and the screen's number, by line."""
    tell = "printf '%s\\n' " + " ".join(f'"${name}"' for name in VARIABLES)
    screen = shlex.join(server(width_px, height_px, number_to=1))
    # a background job's input is not the shell's
    return ["sh", "-c", f"{shlex.join(MOUNT)} && {tell} && {{ TMPDIR={PLACE} {screen} & }} && exec cat"]


@dataclass
class Sandbox:
    """A sandbox; `pid` is a process in the client's namespaces, in our numbering, `status` the ended testbed's."""

    pid: int
    screen: str
    start_url: str
    resolver_rules: str
    spki: str
    process: Process
    status: int | None = None

    def enter(self, *, bound: bool = True) -> list[str]:
        """Returns the beginning of a command line that runs a program in the sandbox.

        Unless `bound`, the program is outside the PID namespace: it gets our signals, and we must stop it in the end.
        """
        spaces = ["--mount", "--net", "--ipc", "--uts", *(["--pid"] if bound else [])]
        return ["nsenter", "--target", str(self.pid), *spaces, "--"]

    def outside(self, path: Path) -> Path:
        """Returns the path of a sandbox's file for this process."""
        return Path(f"/proc/{self.pid}/root") / path.relative_to("/")

    def weigh(self, nice: int) -> None:
        """Sets the weight of the sandbox's session."""
        autogroup.weigh(self.process.pid, nice)

    async def end(self) -> int:
        """Lets the testbed write its report and end; returns its exit status."""
        assert self.process.stdin is not None  # noqa: S101 - sandbox() asks for a pipe
        self.process.stdin.close()
        try:
            self.status = await asyncio.wait_for(self.process.wait(), STOP_S)
        except TimeoutError:
            self.status = await _kill(self.process)
        return self.status


@asynccontextmanager
async def sandbox(command: Sequence[str], *, log: Path, nice: int) -> AsyncIterator[Sandbox]:
    """Returns a context with the sandbox of a testbed, in a new session; raises EndedError if the testbed ends at once.

    `command` starts the testbed, and has `holding` in it.
    """
    with log.open("ab") as talk:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=talk, start_new_session=True, limit=LONGEST_LINE
        )
    autogroup.weigh(process.pid, nice)
    try:
        place = await _ready(process)
        yield place
        if place.status is None:
            await place.end()
    finally:
        if process.returncode is None:
            await _kill(process)


async def _ready(process: Process) -> Sandbox:
    assert process.stdout is not None  # noqa: S101 - sandbox() asks for a pipe
    values = [(await process.stdout.readline()).decode().rstrip("\n") for _ in VARIABLES]
    if not values[-1]:
        raise EndedError(await process.wait())
    try:
        number = (await asyncio.wait_for(process.stdout.readline(), START_S)).decode().strip()
    except TimeoutError:
        number = ""
    if not number:
        raise VoidError(Cause.PROCESS_DIED, "Xvfb ended before it had a display")
    pid = None
    with suppress(TimeoutError):
        pid = await asyncio.wait_for(holder(process), START_S)
    if pid is None:
        raise VoidError(Cause.PROCESS_DIED, f"nothing was in the sandbox within {START_S} s, or it ended before that")
    start_url, rules, spki = values
    return Sandbox(pid, f":{number}", start_url, rules, spki, process)


class EndedError(Exception):
    """The testbed ended before its sandbox was ready."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


async def holder(testbed: Process) -> int | None:
    """Waits for the process of the sandbox that becomes `cat`, and returns it; None if the testbed ends without one."""
    while testbed.returncode is None:
        waiting = [testbed.pid]
        while waiting:
            pid = waiting.pop()
            with suppress(OSError):
                if Path(f"/proc/{pid}/comm").read_text() == "cat\n":
                    return pid
                waiting += children(pid)
        # the screen may print its number before the shell becomes `cat`
        await asyncio.sleep(0.01)
    return None


def children(pid: int) -> list[int]:
    """Returns the running child processes of a process."""
    pids: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        # a thread may end meanwhile
        with suppress(OSError):
            pids += map(int, path.read_text().split())
    return pids


async def _kill(process: Process) -> int:
    """Terminates the testbed, so that it ends its processes; kills it if this takes too long."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        return await asyncio.wait_for(process.wait(), STOP_S)
    except TimeoutError:
        process.kill()
        return await process.wait()
