"""The process that films, as seen from the one that asks it to: capture/inside, started once and asked run by run."""

import json
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyelevel.capture.inside import autogroup
from eyelevel.capture.inside.request import Job

STOP_S = 15
TIMED_OUT = 124


@dataclass
class Studio:
    """Starts with the first film, and again after it has died. `bench` is for temporary files, and has its log.

    `watch` is a command that reads the films' distinct frames while they are made (see capture/inside/watcher.py).
    """

    bench: Path
    watch: Sequence[str] = ()
    command: Sequence[str] = (sys.executable, "-m", "eyelevel.capture.inside")
    spares: Sequence[Job] = ()
    _process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    def film(self, job: Job, following: Sequence[Job], *, limit_s: float) -> int:
        """Returns the exit status; 124 for one that takes longer than `limit_s`, which is stopped.

        `following` are made ready meanwhile (see capture/inside), as this one was if it followed the film before.
        """
        self.spares = following
        try:
            answer = self._ask({"film": job.as_json(), "next": [each.as_json() for each in following]}, limit_s)
        except BaseException:
            self.close()
            raise
        if answer is None:
            return self.close()
        return int(answer["status"])

    def drop(self) -> None:
        """Give up what was made ready."""
        if self.spares and self._process is not None:
            self.spares = ()
            with suppress(OSError):
                self._say({"drop": True})

    def close(self) -> int:
        """Stop it and all that it started; its exit status, 124 where it had to be stopped."""
        process, self._process, self.spares = self._process, None, ()
        if process is None:
            return 0
        died = process.poll()
        if died is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what could not be said any more
                pipe.close()  # type: ignore[union-attr]  # both are pipes
        return TIMED_OUT if died is None else died

    def _ask(self, question: Mapping[str, Any], limit_s: float) -> Mapping[str, Any] | None:
        """The answer; None where it died, or gave none in time."""
        process = self._running()
        try:
            self._say(question)
        except OSError:
            process.wait(STOP_S)
            return None
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        if not select.select([process.stdout], [], [], limit_s)[0]:
            return None
        line = process.stdout.readline()
        if not line:
            process.wait(STOP_S)
            return None
        return dict(json.loads(line))

    def _say(self, words: Mapping[str, Any]) -> None:
        process = self._running()
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()

    def _running(self) -> "subprocess.Popen[str]":
        if self._process is None:
            self.bench.mkdir(parents=True, exist_ok=True)
            with (self.bench / "studio.log").open("ab") as log:
                # the kernel kills it, and so all that it started, when this process dies
                self._process = subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", *self.command, str(self.bench), *self.watch],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
                )  # fmt: skip
            autogroup.weigh(self._process.pid, autogroup.FIRST)
        return self._process
