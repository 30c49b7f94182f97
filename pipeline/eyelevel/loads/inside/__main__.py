"""Films page loads on request, one at a time: python -m eyelevel.loads.inside SCRATCH [WATCH...].

Each line of standard input is a request as JSON: {"film": JOB, "next": [JOB...]}; a job is {"folder", "testbed"}. The
response is a line of standard output with the exit status: 0 if the job's folder has the film and the observations, 75
if it has void.json with the cause, else the testbed's. The request {"drop": true} discards prepared sessions; its
response comes once they have ended. SCRATCH is the folder for temporary files, WATCH the command that
follows the films' changes while they are made (see filming/watcher.py).

One process films many pages, because starting it and its browser driver takes longer than loading a page. Nothing
that a page could notice is shared: testbed, screen, browser and film are new for each. When a page has nearly settled
the capture session of the next run is prepared, held back by the kernel (see session.py).
"""

import asyncio
import json
import os
import signal
import sys
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Error, Playwright, async_playwright

from eyelevel.disk import DiskFullError
from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.filming.watcher import Watcher, watcher
from eyelevel.loads.inside.groups import Group, own_group
from eyelevel.loads.inside.request import Cause, Film, Job, Question, VoidError, answer_line, question_of
from eyelevel.loads.inside.sandbox import EndedError
from eyelevel.loads.inside.session import CaptureSession, Turn

VOID_STATUS = 75
# another run does not wait longer for the browser of a prepared session
OPEN_S = 20
# expected errors of a run; others are bugs
FAULTS = (VoidError, DiskFullError, EndedError, Error, OSError, TimeoutError)
# errors if a request or its mask cannot be read
UNUSABLE = (OSError, ValueError, TypeError, KeyError)


class PreparedSession:
    """The session of a job, which is prepared with low priority while another page is being filmed."""

    def __init__(self, job: Job, drive: Playwright, watching: Watcher | None, group: Group | None) -> None:
        self.session = CaptureSession(job, drive, watching, group)
        self.turn = Turn()
        self._task = asyncio.create_task(self.session.prepare(self.turn))

    async def ready(self) -> CaptureSession:
        """Waits until the session is ready, and returns it; raises the error of its preparation."""
        self.turn.near.set()
        self.turn.clear.set()
        await self._task
        return self.session

    async def opened(self) -> bool:
        """Waits up to OPEN_S until the browser has started, or preparation has failed; returns whether it has."""
        opening = asyncio.create_task(self.session.opened.wait())
        done, _ = await asyncio.wait([self._task, opening], timeout=OPEN_S, return_when=asyncio.FIRST_COMPLETED)
        opening.cancel()
        return bool(done)

    async def drop(self) -> None:
        """Stops the preparation, and ends the session."""
        self._task.cancel()
        try:
            await asyncio.wait([self._task])
        finally:
            await _close(self.session)


class SessionQueue:
    """Films jobs in turn, and prepares the next ones meanwhile.

    `film` returns when its film is encoded, so that no encoder runs during a page load, nor two at once.
    """

    def __init__(self, drive: Playwright, watching: Watcher | None, group: Group | None) -> None:
        self._drive = drive
        self._watching = watching
        self._group = group
        self._spares: list[PreparedSession] = []

    async def film(self, job: Job, following: Sequence[Job]) -> int:
        """Films a job, and returns its exit status; an error is in void.json in its folder."""
        if self._spares and self._spares[0].session.job != job:
            await self.drop()
        try:
            prepared = self._spares.pop(0) if self._spares else self._prepared(job)
        except UNUSABLE as error:
            traceback.print_exc()
            return _void(job.folder, Cause.BROKEN_RESULT, f"the run cannot begin: {type(error).__name__}: {error}")
        try:
            try:
                session = await prepared.ready()
                if not all([await spare.opened() for spare in self._spares]):
                    await self.drop()
                seen = await session.film(nearly=lambda: self._begin(session, following), over=self._clear)
            finally:
                status = await _close(prepared.session)
            await session.encoded()
            session.keep(seen)
        except VoidError as void:
            return _void(job.folder, void.cause, void.detail)
        except DiskFullError as full:  # the caller finds this, too, and ends the campaign (eyelevel/disk.py)
            return _void(job.folder, Cause.PROCESS_DIED, str(full))
        except EndedError as ended:
            return ended.status or _void(job.folder, Cause.PROCESS_DIED, "the testbed ended at once")
        except (Error, OSError, TimeoutError) as error:
            traceback.print_exc()
            words = str(error).splitlines()[0] if str(error) else ""
            return _void(job.folder, Cause.PROCESS_DIED, f"{type(error).__name__}: {words}")
        finally:
            await prepared.session.drop_film()
        return status

    def _begin(self, session: CaptureSession, following: Sequence[Job]) -> None:
        missing = following[len(self._spares) :]
        if missing and autogroup.can_hold_back():
            with suppress(*UNUSABLE):  # such a run becomes void in its turn; the current one continues
                for job in missing:
                    self._spares.append(self._prepared(job))
                    session.marks.reach("next")
        if self._spares:
            self._spares[0].turn.near.set()

    def _prepared(self, job: Job) -> PreparedSession:
        return PreparedSession(job, self._drive, self._watching, self._group)

    def _clear(self) -> None:
        if self._spares:
            self._spares[0].turn.clear.set()

    async def drop(self) -> None:
        """Drops all prepared sessions."""
        while self._spares:
            await self._spares.pop().drop()


async def _close(session: CaptureSession) -> int:
    """Ends the session; errors are only printed, as they follow from known ones."""
    try:
        return await session.close()
    except FAULTS:
        traceback.print_exc()
        return 0


def _void(folder: Path, cause: Cause, detail: str) -> int:
    (folder / "void.json").write_text(json.dumps({"cause": cause, "detail": detail}))
    return VOID_STATUS


async def _questions() -> AsyncIterator[Question]:
    reader = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield question_of(line)


async def serve(watch: Sequence[str]) -> None:
    """Answers requests until the input ends."""
    with own_group() as group:
        await _serve(watch, group)


async def _serve(watch: Sequence[str], group: Group | None) -> None:
    async with async_playwright() as drive, watcher(watch) as watching:
        queue = SessionQueue(drive, watching, group)
        try:
            async for question in _questions():
                status = 0
                if isinstance(question, Film):
                    status = await queue.film(question.job, question.next)
                else:
                    await queue.drop()
                sys.stdout.write(answer_line(status) + "\n")
                sys.stdout.flush()
        finally:
            await queue.drop()


async def until_stopped(watch: Sequence[str]) -> None:
    """Serves until the input ends or SIGTERM arrives; then all started processes have ended."""
    serving = asyncio.create_task(serve(watch))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving


if __name__ == "__main__":
    os.environ["TMPDIR"] = sys.argv[1]
    asyncio.run(until_stopped(sys.argv[2:]))
