"""Locks by name that PostgreSQL keeps, for what no row stands for; it releases them when their holder is killed."""

import contextlib
import hashlib
from collections.abc import Iterator

from django.db import connection


@contextlib.contextmanager
def locked(name: str, *, wait: bool = True, shared: bool = False) -> Iterator[bool]:
    """Hold the lock with this name; yields False where somebody else holds it and `wait` is false.

    Shared holders exclude only those that are not. The lock belongs to the database session and not to a transaction,
    because a file may go only after its row is gone.
    """
    # PostgreSQL names advisory locks by numbers
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    kind = "_shared" if shared else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_{'' if wait else 'try_'}advisory_lock{kind}(%s)", [number])
        held = wait or bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_unlock{kind}(%s)", [number])
