"""Named PostgreSQL advisory locks, for resources without a row; they are released when their holder is killed."""

import contextlib
import hashlib
from collections.abc import Iterator

from django.db import connection


@contextlib.contextmanager
def locked(name: str, *, wait: bool = True, shared: bool = False) -> Iterator[bool]:
    """Hold the lock with this name; yields False if another process holds it and `wait` is false.

    Shared holders exclude only exclusive ones. The lock belongs to the database session and not to a transaction,
    because a file may be deleted only after its row.
    """
    # PostgreSQL identifies advisory locks by numbers
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
