"""Starts the process that measures films while they are made, by the command that another stage provides.

Its standard input is a socket. The request for a film is {"changes", "width_px", "height_px", "to", "mask"} as JSON;
"changes" is the file that the recorder writes. It is answered when the file has been read to its end, after {"changed"}
for each frame, with the parts that changed (motion/counting.py). The request {"folder", "mask"} is for the film's
metrics, which are written into that folder; its answer has an "error", which may be null.
"""

import asyncio
import json
import socket
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.request import Cause, VoidError

# time limits without a read frame while there are some, and for computing the metrics at the end, which takes a second
# after minutes of film
SILENT_S, MEASURE_S = 20, 120
LONGEST = 1 << 16

# called with the parts that changed in a frame, and their entropy in bits
OnParts = Callable[[Sequence[tuple[int, float]]], None]


class Watcher:
    """Runs the process that measures films, one film at a time.

    `start` or the first film starts the process. When a film is discarded, the process ends, and the next film starts
    it again.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: Process | None = None
        self._line: socket.socket | None = None
        self._turn = asyncio.Lock()
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Starts the process before the first film, because starting takes longer than reading a film."""
        await self._started()

    async def watch(
        self,
        changes: Path,
        *,
        width_px: int,
        height_px: int,
        to: Path,
        mask: str | None = None,
        on_parts: OnParts = lambda _: None,
    ) -> "Watched":
        """Follows the changes of a film; `mask` is the file with the page's motion mask.

        `on_parts` is called for each frame with the parts that changed, and their entropy. This begins once the
        previous film is measured or stopped; the caller must call `measure` or `give_up` on the result.
        """
        await self._turn.acquire()
        film = Watched(self, mask)
        try:
            size = {"width_px": width_px, "height_px": height_px}
            await self._send({"changes": str(changes), **size, "to": str(to), "mask": mask})
            self.weigh(autogroup.BEHIND)
            film.listen(on_parts)
        except BaseException as error:
            await film.give_up()
            if isinstance(error, OSError):
                raise VoidError(Cause.PROCESS_DIED, f"the watcher of the film is gone: {error}") from error
            raise
        return film

    async def _send(self, message: Mapping[str, object]) -> None:
        await asyncio.get_running_loop().sock_sendall(await self._started(), json.dumps(message).encode())

    async def ask(self, message: Mapping[str, str | None]) -> bytes:
        """Sends a request, and returns the answer; empty if the process has died or does not answer."""
        try:
            await self._send(message)
        except OSError:
            return b""
        return await self.answer()

    async def answer(self) -> bytes:
        """Returns the next message; empty if the process has died, or sends none in MEASURE_S."""
        with suppress(TimeoutError):
            return await asyncio.wait_for(self.hear(), MEASURE_S)
        return b""

    async def hear(self) -> bytes:
        """Returns the next message without a time limit; empty if the process has died."""
        with suppress(OSError):
            return await asyncio.get_running_loop().sock_recv(await self._started(), LONGEST)
        return b""

    def weigh(self, nice: int) -> None:
        """Sets the weight of the process: lower than the browser's during a load, highest when it is waited for."""
        if self._process is not None:
            autogroup.weigh(self._process.pid, nice)

    def free(self) -> None:
        """Lets the next film begin."""
        self._turn.release()

    async def _started(self) -> socket.socket:
        async with self._starting:
            if self._line is None:
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    # it waits for the film to continue, which never happens if this process was killed
                    self._process = await asyncio.create_subprocess_exec(
                        *("setpriv", "--pdeathsig", "KILL", *self._command),
                        stdin=theirs.fileno(),
                        stdout=DEVNULL,
                        start_new_session=True,
                    )
                ours.setblocking(False)
                self._line = ours
            return self._line

    async def close(self) -> None:
        """Ends the process."""
        process, line = self._process, self._line
        self._process, self._line = None, None
        if line is not None:
            line.close()
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Watched:
    """A film that is being watched."""

    def __init__(self, by: Watcher, mask: str | None) -> None:
        self._mask = mask
        self._by: Watcher | None = by
        self._heard = 0
        self._listening: asyncio.Task[int | None] | None = None

    def listen(self, on_parts: OnParts) -> None:
        """Starts handling the messages about frames, until all are read."""
        assert self._by  # noqa: S101 - it has just begun
        self._listening = asyncio.create_task(self._listen(self._by, on_parts))

    async def _listen(self, by: Watcher, on_parts: OnParts) -> int | None:
        """The number of frames at the end; None if the process died."""
        while data := await by.hear():
            message = json.loads(data)
            if "changed" not in message:
                return int(message["frames"])
            self._heard += 1
            on_parts([(part, bits) for part, bits in message["changed"]])
        return None

    def check(self) -> None:
        """Raises VoidError if the process has died while the film was made."""
        if self._listening is not None and self._listening.done() and self._listening.result() is None:
            raise VoidError(Cause.PROCESS_DIED, "the watcher of the film ended before its film")

    async def read(self, frames: int) -> None:
        """Waits until all frames are read; raises VoidError if they are not, and then `give_up` must be called.

        There is no time limit while frames are being read, because their number depends on the page.
        """
        assert self._by and self._listening  # noqa: S101, PT018 - it listens until it is measured
        self._by.weigh(autogroup.FIRST)
        before = -1
        while not self._listening.done() and self._heard > before:
            before = self._heard
            await asyncio.wait([self._listening], timeout=SILENT_S)
        if not self._listening.done():
            raise VoidError(Cause.PROCESS_DIED, f"the watcher of the film has read no frame for {SILENT_S} s")
        self.check()
        if (read := self._listening.result()) != frames:
            raise VoidError(Cause.BROKEN_RESULT, f"the watcher has read {read} frames of {frames}")

    async def measure(self, folder: Path) -> None:
        """Has the metrics of a film that has been read written into its folder with frames.json; raises VoidError."""
        answer = await self._by.ask({"folder": str(folder), "mask": self._mask}) if self._by else b""
        if self._by is None or not answer:
            raise VoidError(Cause.PROCESS_DIED, "the watcher of the film ended before it had measured it")
        by, self._by = self._by, None
        by.free()
        if error := json.loads(answer)["error"]:
            raise VoidError(Cause.BROKEN_RESULT, error)

    async def give_up(self) -> None:
        """Stops watching, unless the film is measured."""
        if self._listening is not None and not self._listening.done():
            self._listening.cancel()
            await asyncio.wait([self._listening])
        if self._by is not None:
            by, self._by = self._by, None
            try:
                await by.close()
            finally:
                by.free()


@asynccontextmanager
async def watcher(command: Sequence[str]) -> AsyncIterator[Watcher | None]:
    """Returns a context with a watcher; None if there is no command."""
    watching = Watcher(command) if command else None
    try:
        yield watching
    finally:
        if watching is not None:
            await watching.close()
