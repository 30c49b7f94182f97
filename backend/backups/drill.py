"""Restore drill: backs up the running platform, and restores the backup into a temporary scratch database."""

import os
import threading
from collections.abc import Callable

from django.db import connections

from backups.errors import BackupError
from backups.making import make_backup
from backups.restoring import Report, restore


def drill(tell: Callable[[str], None]) -> Report:
    """Verify that a backup made now can be restored; writes no file but a dump. Raises BackupError."""
    read_end, write_end = os.pipe()
    failed: list[Exception] = []

    def make() -> None:
        try:
            with os.fdopen(write_end, "wb") as out:
                make_backup(out, tell=lambda _: None)
        except Exception as error:
            failed.append(error)
        finally:
            connections.close_all()

    maker = threading.Thread(target=make)
    maker.start()
    try:
        with os.fdopen(read_end, "rb") as source:
            return restore(source, drill=True, replace=False, tell=tell)
    except BackupError:
        maker.join()
        if failed:
            raise failed[0] from None
        raise
    finally:
        maker.join()
