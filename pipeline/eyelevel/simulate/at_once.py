"""Runs several simulated participants in parallel."""

from collections.abc import Callable, Iterable, Iterator
from threading import Lock, Thread

from eyelevel.errors import EyelevelError


def at_once(work: Callable[[int], None], numbers: Iterable[int], *, threads: int) -> EyelevelError | None:
    """Calls `work` with each number, in `threads` threads; stops after the first EyelevelError, and returns it.

    The threads are daemons, so Ctrl-C ends them with the program, even while they wait for a clip to end.
    """
    waiting, lock = iter(numbers), Lock()
    failures: list[EyelevelError] = []
    faults: list[BaseException] = []

    def run() -> None:
        for number in _shared(waiting, lock):
            if failures or faults:
                return
            try:
                work(number)
            except EyelevelError as error:
                failures.append(error)
            except BaseException as error:
                faults.append(error)

    running = [Thread(target=run, daemon=True) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if faults:
        raise faults[0]
    return failures[0] if failures else None


def _shared(numbers: Iterator[int], lock: Lock) -> Iterator[int]:
    while True:
        with lock:
            number = next(numbers, None)
        if number is None:
            return
        yield number
