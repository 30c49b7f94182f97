"""The film: the recorder writes each change of the screen into a file, and reports it while it records.

The recorder (pipeline/recorder) is told of each paint by the X server, so a screen that stands still costs nothing. It
says a line for each picture, and from time to time until when all changes have been told; that is "now" for whoever
waits for a page to be quiet. Beside a load all of this would cost the page time. So the recorder is held from
navigation until the page has loaded and the network rests: it only records, and says nothing. Then another process
reads the changes file, follows it to its end, and computes the metrics (see watcher.py). The lossless film (film.mkv),
which has a frame for each picture, is encoded when nothing is filmed any more.

**Zero.** Pictures have the time of the wall clock, and navigation start is `performance.timeOrigin`, the same clock as
the browser reads it. Both are moments of the monotonic clock plus an offset that is read once, by the recorder when the
film begins and by Chromium once in each process (`GetUnixAtZeroMonotonic`), so that a clock that is set meanwhile moves
neither. The difference is a picture's time since navigation start. That needs no marker in the picture, so
the screen can be white from navigation start until the page's first paint, as a viewer should see it: Chromium keeps
the old page on the screen until the new one paints, and an orange marker page would be in every clip. An orange page is
still shown, before the white one: its going away, timed by the page and seen in the film, bounds how far the two clocks
are apart (see lead.py).
"""

import asyncio
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from time import monotonic

from eyelevel.built import RECORDER
from eyelevel.disk import FLOOR_BYTES, check_free
from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.filming.display import FIRST_IN_LINE
from eyelevel.loads.inside.filming.frames import Clock, End, Frame, Until, parse
from eyelevel.loads.inside.filming.watcher import Watched
from eyelevel.loads.inside.request import Cause, VoidError

START_S = 20
STOP_S = 20
# how often the free space is checked while a film is written
ROOM_S = 0.5
# in a job's folder
CHANGES = "changes"
# The encoder runs beside the end of its run and what is prepared for the next ones, never beside a page load (see
# SessionQueue). Nice orders only within a session: it comes behind worker and driver, and before what is held back.
LAST_IN_LINE = ("nice", "-n", "19")


class Film:
    """A film in the making; `frames` grows while it runs, and all changes until `told_ms` are among them."""

    def __init__(self, process: Process, changes: Path, on_change: Callable[[Frame], None]) -> None:
        self.frames: list[Frame] = []
        self.told_ms = 0.0
        self._clock: Clock | None = None
        self._end: End | None = None
        self._watched: Watched | None = None
        self._process = process
        self._changes = changes
        self._on_change = on_change
        self._arrived = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @property
    def end(self) -> End:
        """Known once the film has been stopped."""
        if self._end is None:
            raise VoidError(Cause.PROCESS_DIED, "the recorder did not end in good order")
        return self._end

    def now_ms(self) -> float:
        """Now, by the clock of its frames."""
        assert self._clock is not None  # noqa: S101 - the recorder's first line, before any frame
        return self._clock.at_ms(monotonic() * 1000)

    def watch(self, watched: Watched) -> None:
        """Who follows the changes file: the film has ended when that has read it all."""
        self._watched = watched

    @contextmanager
    def held(self) -> Iterator[None]:
        """The recorder only records, and reports nothing. Afterwards it first reports what it recorded meanwhile."""
        self._signal(signal.SIGUSR1)
        try:
            yield
        finally:
            self._signal(signal.SIGUSR2)

    async def check(self) -> None:
        """VoidError if the recorder has ended; DiskFullError if its file has filled the disk but for FLOOR_BYTES."""
        if self._reading.done():
            status = await asyncio.wait_for(self._process.wait(), STOP_S)
            raise VoidError(Cause.PROCESS_DIED, f"the recorder ended with status {status}")
        if self._watched is not None:
            self._watched.check()
        check_free(self._changes.parent, FLOOR_BYTES)

    async def hear(self, timeout_s: float = 10) -> float:
        """Wait until more is known of the screen; returns until when all is. Errors as in `check`."""
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), timeout_s)
        except TimeoutError:
            raise VoidError(Cause.PROCESS_DIED, f"the recorder said nothing for {timeout_s:g} s") from None
        await self.check()
        return self.told_ms

    async def stop(self) -> None:
        """End the film properly: interrupted, the recorder writes out what it holds."""
        self._signal(signal.SIGINT)
        await asyncio.wait_for(self._reading, STOP_S)
        status = await asyncio.wait_for(self._process.wait(), STOP_S)
        if status != 0:
            raise VoidError(Cause.PROCESS_DIED, f"the recorder ended with status {status}")
        if self._watched is not None:
            await self._watched.read(len(self.frames))

    async def measure(self, folder: Path) -> None:
        """Have its metrics written into its folder, where frames.json is, after its end; only if it is watched."""
        if self._watched is not None:
            await self._watched.measure(folder)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            self._process.send_signal(number)

    async def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - film() asks for a pipe
        while line := await self._process.stdout.readline():
            told = parse(line.decode())
            match told:
                case Clock():
                    self._clock = told
                    continue
                case Frame():
                    self.frames.append(told)
                    if len(self.frames) > 1:
                        self._on_change(told)
                case End():
                    self._end = told
                case Until():
                    pass
            self.told_ms = max(self.told_ms, told.time_ms)
            self._arrived.set()
        self._arrived.set()


@asynccontextmanager
async def film(
    screen: str,
    *,
    width_px: int,
    height_px: int,
    changes: Path,
    on_change: Callable[[Frame], None],
    enter: Sequence[str] = (),
) -> AsyncIterator[Film]:
    """Film the screen into the file `changes`; `on_change` gets each frame after the first one.

    `enter` goes before the command where the screen is in namespaces of its own (see sandbox.py).
    """
    command = [*FIRST_IN_LINE, str(RECORDER.find()), "record", "--display", screen]
    process = await asyncio.create_subprocess_exec(
        *enter,
        *command,
        "--size",
        f"{width_px}x{height_px}",
        str(changes),
        stdin=DEVNULL,
        stdout=PIPE,
        start_new_session=True,
    )
    autogroup.weigh(process.pid, autogroup.FIRST)
    try:
        running = Film(process, changes, on_change)
        while not running.frames:
            await running.hear(START_S)
        yield running
    finally:
        await _ended(process)


async def encode(changes: Path, to: Path, *, pictures: int) -> None:
    """Write the lossless film of the first pictures of a complete changes file, a frame each.

    VoidError if that fails; DiskFullError if the film fills the disk but for FLOOR_BYTES.
    """
    command = [*LAST_IN_LINE, str(RECORDER.find()), "film", "--pictures", str(pictures), str(changes), str(to)]
    recorder = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL)
    status = None
    try:
        while status is None:
            check_free(to.parent, FLOOR_BYTES)
            with suppress(TimeoutError):
                status = await asyncio.wait_for(recorder.wait(), ROOM_S)
    finally:
        await _ended(recorder)
    if status:
        raise VoidError(Cause.PROCESS_DIED, f"the film could not be encoded: status {status}")


async def _ended(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
