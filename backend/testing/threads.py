"""Runs a function in many threads at the same moment, each with its own database connection."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
THREADS = 20


def at_once(work: Callable[[int], T], *, threads: int = THREADS) -> list[T]:
    """Run `work` in this number of threads with a common start; the results in the order of their numbers."""
    barrier = Barrier(threads)

    def run(number: int) -> T:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=60)
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))
