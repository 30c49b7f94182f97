"""Several reads of the database that see one and the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """A REPEATABLE READ, read-only transaction; raise RuntimeError within another one, which may not become so."""
    if connection.in_atomic_block:
        raise RuntimeError("reading at one moment needs a transaction of its own")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
