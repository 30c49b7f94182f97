"""Stray files of the store, which have no row because a process was killed between writing or deleting the two."""

from datetime import datetime

from lib.advisory_locks import locked
from stimuli import blobs
from stimuli.models import Blob


def sweep(before: datetime, *, delete: bool) -> int:
    """Count stray files that were stored before this time, and delete them if `delete`; returns their number."""
    known = set(Blob.objects.values_list("sha256", flat=True))
    with blobs.may_drop() as free:
        stored = blobs.stored() if free else ()
        strays = [sha256 for sha256, at in stored if sha256 not in known and at < before]
        return sum(_drop(sha256) for sha256 in strays) if delete else len(strays)


def _drop(sha256: str) -> bool:
    with locked(sha256):
        if Blob.objects.filter(sha256=sha256).exists():
            # it was sent again meanwhile
            return False
        blobs.drop(sha256)
    return True
