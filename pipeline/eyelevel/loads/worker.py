"""The capture worker's control: starts the process that films, and requests one film at a time."""

import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from eyelevel.loads.inside.request import Drop, Film, Job, Question, line_of, status_of

STOP_S = 15
# for a process that stopped answering to end, so that its own status is known
GONE_S = 3
DROP_S = 60
LOG = "worker.log"
TIMED_OUT = 124


@dataclass
class CaptureWorker:
    """A worker process, which starts with the first film and again after its death.

    `scratch` is for temporary files and the log. `watch` is a command that follows the films' changes as they are made
    (see loads/inside/filming/watcher.py).
    """

    scratch: Path
    watch: Sequence[str] = ()
    command: Sequence[str] = (sys.executable, "-m", "eyelevel.loads.inside")
    spares: Sequence[Job] = ()
    _serial: Iterator[int] = field(default_factory=count, repr=False)
    _process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    def film(self, job: Job, following: Sequence[Job], *, limit_s: float) -> int:
        """Films a job, and returns its exit status; 124 if it is stopped after `limit_s`.

        The jobs `following` are prepared meanwhile (see loads/inside), as this job was if the previous film named it.
        """
        self.spares = following
        try:
            status = self._ask(Film(job, tuple(following)), limit_s)
        except BaseException:
            self.close()
            raise
        if status is None:
            status = self.close()
            with (job.folder / "talk.log").open("a") as talk:
                talk.write("\n".join(["", *(self.scratch / LOG).read_text(errors="replace").splitlines()[-1:]]))
            return status
        if status != 0:
            self.spares = ()  # another run is next than expected
        return status

    def serial(self) -> int:
        """Returns a number that no folder of this worker has yet."""
        return next(self._serial)

    def drop(self) -> None:
        """Drops the prepared jobs, and waits until they have ended."""
        if self._process is not None:
            self.spares = ()
            if self._ask(Drop(), DROP_S) is None:
                self.close()

    def close(self) -> int:
        """Stops the worker with all its processes; returns its exit status, 124 if it had to be stopped."""
        process, self._process, self.spares = self._process, None, ()
        if process is None:
            return 0
        died = process.poll()
        if died is None:
            process.send_signal(signal.SIGTERM)
        with suppress(OSError):  # it has ended already
            process.stdin.close()  # type: ignore[union-attr]  # it is a pipe
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()  # type: ignore[union-attr]  # it is a pipe
        return TIMED_OUT if died is None else died

    def _ask(self, question: Question, limit_s: float) -> int | None:
        """The status that it answers; None if it died, or did not answer in time."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        try:
            process.stdin.write(line_of(question) + "\n")
            process.stdin.flush()
            if not select.select([process.stdout], [], [], limit_s)[0]:
                return None
            return status_of(process.stdout.readline())
        except (OSError, ValueError):  # it died, or its answer is invalid
            with suppress(subprocess.TimeoutExpired):
                process.wait(GONE_S)
            return None

    def _running(self) -> "subprocess.Popen[str]":
        if self._process is None:
            self.scratch.mkdir(parents=True, exist_ok=True)
            with (self.scratch / LOG).open("ab") as log:
                # the kernel kills it, and so all that it started, when this process dies
                self._process = subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", *self.command, str(self.scratch), *self.watch],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
                )  # fmt: skip
        return self._process
