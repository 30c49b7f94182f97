"""Transactions that see the database at one moment, on one connection or on several side by side."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection, transaction
from psycopg.sql import SQL, Literal

T = TypeVar("T")
# has to be the first statement of its transaction
ISOLATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
# votes and plays
CONNECTIONS = 2


@contextmanager
def one_moment() -> Iterator[None]:
    """Run the block in a REPEATABLE READ, read-only transaction."""
    # durable: not within another transaction, whose isolation level could no longer be set
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(ISOLATE)
        yield


def side_by_side(jobs: Sequence[Callable[[], T]]) -> list[T]:
    """Results of the jobs, which read the moment of this transaction on connections of their own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        (moment,) = cursor.fetchone() or ("",)

    def run(job: Callable[[], T]) -> T:
        try:
            with one_moment(), connection.cursor() as cursor:
                # a statement without parameters
                cursor.execute(SQL("SET TRANSACTION SNAPSHOT {}").format(Literal(moment)))
                return job()
        finally:
            # the connection of this thread
            connection.close()

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        return list(pool.map(run, jobs))
