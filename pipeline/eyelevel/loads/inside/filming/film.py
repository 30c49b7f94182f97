"""The film: the recorder writes each change of the screen into a file, and reports it while it records.

The X server informs the recorder (pipeline/recorder) of each paint, so a still screen costs nothing. The recorder
prints a line for each picture, and regularly the time until which all changes have been reported, which is "now" when
waiting for a page to be quiet. During a load, this would slow the page down. Therefore the recorder is held from
navigation until the page has loaded and the network rests: it only records. Then another process reads the changes file
to its end, and computes the metrics (see watcher.py). The lossless film (film.mkv), with a frame for each picture, is
encoded when nothing is being filmed.

**Zero.** Pictures have the time of the wall clock, and navigation start is `performance.timeOrigin`, by the same clock
as the browser reads it. Both are times of the monotonic clock plus an offset that is read once, by the recorder when
the film begins and by Chromium once in each process (`GetUnixAtZeroMonotonic`), so that setting the clock affects
neither. The difference is a picture's time since navigation start. This needs no marker in the picture, so the screen
can be white from navigation start until the page's first paint, as a viewer should see it: Chromium keeps the old page
on the screen until the new one paints, and an orange marker page would be in every clip. An orange page is still shown
before the white one: its end, in the page's time and in the film, bounds the difference of the two clocks (see
lead.py).
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
# interval of checks of the free space while a film is written
ROOM_S = 0.5
# in a job's folder
CHANGES = "changes"
# The encoder runs during the end of its run and the preparation of the next ones, never during a page load (see
# SessionQueue). Nice counts only within a session: after worker and driver, and before prepared sessions.
LAST_IN_LINE = ("nice", "-n", "19")


class Film:
    """A running film; `frames` grows while it runs, and has all changes until `known_ms`."""

    def __init__(self, process: Process, changes: Path, on_change: Callable[[Frame], None]) -> None:
        self.frames: list[Frame] = []
        self.known_ms = 0.0
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
        """Returns the end of the film; raises VoidError unless it was stopped correctly."""
        if self._end is None:
            raise VoidError(Cause.PROCESS_DIED, "the recorder did not end correctly")
        return self._end

    def now_ms(self) -> float:
        """Returns the current time by the clock of its frames."""
        assert self._clock is not None  # noqa: S101 - the recorder's first line, before any frame
        return self._clock.at_ms(monotonic() * 1000)

    def watch(self, watched: Watched) -> None:
        """Sets the reader of the changes file; the film has ended once it has read all frames."""
        self._watched = watched

    @contextmanager
    def held(self) -> Iterator[None]:
        """Returns a context in which the recorder reports nothing; afterwards it reports the frames of that time."""
        self._signal(signal.SIGUSR1)
        try:
            yield
        finally:
            self._signal(signal.SIGUSR2)

    async def check(self) -> None:
        """Raises VoidError if the recorder has ended, DiskFullError if less than FLOOR_BYTES are free on the disk."""
        if self._reading.done():
            status = await asyncio.wait_for(self._process.wait(), STOP_S)
            raise VoidError(Cause.PROCESS_DIED, f"the recorder ended with status {status}")
        if self._watched is not None:
            self._watched.check()
        check_free(self._changes.parent, FLOOR_BYTES)

    async def hear(self, timeout_s: float = 10) -> float:
        """Waits for the next report, and returns the time until which all changes are known; raises as `check` does."""
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), timeout_s)
        except TimeoutError:
            raise VoidError(Cause.PROCESS_DIED, f"the recorder reported nothing for {timeout_s:g} s") from None
        await self.check()
        return self.known_ms

    async def stop(self) -> None:
        """Stops the film; the recorder then writes the remaining data."""
        self._signal(signal.SIGINT)
        await asyncio.wait_for(self._reading, STOP_S)
        status = await asyncio.wait_for(self._process.wait(), STOP_S)
        if status != 0:
            raise VoidError(Cause.PROCESS_DIED, f"the recorder ended with status {status}")
        if self._watched is not None:
            await self._watched.read(len(self.frames))

    async def measure(self, folder: Path) -> None:
        """Has its metrics written into its folder with frames.json, after its end, if it is watched."""
        if self._watched is not None:
            await self._watched.measure(folder)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            self._process.send_signal(number)

    async def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - film() asks for a pipe
        while line := await self._process.stdout.readline():
            report = parse(line.decode())
            match report:
                case Clock():
                    self._clock = report
                    continue
                case Frame():
                    self.frames.append(report)
                    if len(self.frames) > 1:
                        self._on_change(report)
                case End():
                    self._end = report
                case Until():
                    pass
            self.known_ms = max(self.known_ms, report.time_ms)
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
    """Returns a context with a film of the screen into the file `changes`; `on_change` gets each frame after the first.

    `enter` is put before the command if the screen is in other namespaces (see sandbox.py).
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
    """Writes the lossless film of the first pictures of a complete changes file, a frame each.

    Raises VoidError if that fails, DiskFullError if less than FLOOR_BYTES are free on the disk.
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
