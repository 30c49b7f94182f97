"""Background work that pauses while a page load is filmed on this machine, so that encoding does not disturb films."""

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from eyelevel.errors import EyelevelError
from eyelevel.machine import CLIPS, FILMS, Share, holder

T = TypeVar("T")
# intervals at which a waiting film, and the end of a film, are noticed
CHECK_S, PAUSED_S = 0.1, 0.5
STOP_S = 10.0
PR_SET_PDEATHSIG = 1


def giving_way(work: Callable[[], T], *, waits: Callable[[str], None], clips: Path = CLIPS, films: Path = FILMS) -> T:
    """Runs `work` in a child process, only while no process films, and returns its result.

    The child, with all programs that it has started, is stopped (SIGSTOP) while a process films, and continued
    afterwards. `waits` is called for the first pause, with a description of the process that films. An exception of
    `work` is raised here. The child ends with this process.
    """
    mine, its = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_run, args=(work, its, mine))
    child.start()
    its.close()
    with suppress(OSError):  # the child also does this; the first one succeeds
        os.setpgid(child.pid or 0, child.pid or 0)
    group = _Group(child, Share(clips))
    try:
        with _suspended_with_us(group):
            kind, *values = _answer(group, mine, waits=partial(_waits_once, [], waits, films))
        child.join(STOP_S)
    finally:
        group.end()
    if kind == "raised":
        raise values[0] from values[1]
    result: T = values[0]
    return result


@dataclass(frozen=True)
class _Group:
    """The child with all programs that it has started, and its share of the processors."""

    child: BaseProcess
    share: Share

    def signal(self, number: signal.Signals) -> None:
        with suppress(OSError):
            os.killpg(self.child.pid or 0, number)

    def pause(self) -> None:
        """Pauses the process until no film is being made."""
        self.signal(signal.SIGSTOP)
        try:
            self.wait_for_share()
        finally:
            self.signal(signal.SIGCONT)

    def wait_for_share(self) -> None:
        while not self.share.taken():
            time.sleep(PAUSED_S)

    def end(self) -> None:
        """End the child as Ctrl-C would, so that it removes unfinished clips; kill it if that takes too long."""
        if self.child.is_alive():
            self.signal(signal.SIGINT)
            self.child.join(STOP_S)
        self.signal(signal.SIGKILL)
        self.child.join()
        self.child.close()
        self.share.close()


def _answer(group: _Group, pipe: Connection, *, waits: Callable[[], None]) -> tuple[Any, ...]:
    """Pause the child during films, and return its final message."""
    try:
        if not group.share.taken():
            waits()
            group.wait_for_share()
        pipe.send("go")
        while not pipe.poll(CHECK_S):
            if not group.share.offered():
                waits()
                group.pause()
        said: tuple[Any, ...] = pipe.recv()
    except (EOFError, ConnectionError) as error:
        group.child.join()
        raise EyelevelError(
            f"The process that makes the clips ended unexpectedly (status {group.child.exitcode}); run the same "
            "command again."
        ) from error
    return said


def _waits_once(announced: list[bool], waits: Callable[[str], None], films: Path) -> None:
    if not announced:
        waits(holder(films))
        announced.append(True)


@contextmanager
def _suspended_with_us(group: _Group) -> Iterator[None]:
    """While this process is suspended (Ctrl-Z), suspend the child as well, so that no film waits for it."""

    def suspend(_number: int, _frame: object) -> None:
        group.signal(signal.SIGSTOP)
        group.share.released()
        os.kill(os.getpid(), signal.SIGSTOP)
        group.pause()

    before = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def _run(work: Callable[[], Any], pipe: Connection, parents: Connection) -> None:
    parents.close()
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    with suppress(OSError):
        os.setpgid(0, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    try:
        pipe.recv()  # until nobody films
        message: tuple[Any, ...] = ("returned", work())
    except KeyboardInterrupt:
        return
    except Exception as error:
        if not isinstance(error, EyelevelError | OSError | ValueError):
            traceback.print_exc()
        message = ("raised", error, error.__cause__)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is about to end
    try:
        pipe.send(message)
    except (pickle.PicklingError, TypeError, AttributeError):
        pipe.send(("raised", EyelevelError(str(message[1])), None))
