"""Files of the store that no row names: a process was killed between the row and its file."""

from datetime import datetime

from lib.advisory_locks import locked
from stimuli import blobs
from stimuli.models import Blob


def sweep(before: datetime, *, delete: bool) -> int:
    """How many such files came before this moment; removes them if `delete`."""
    known = set(Blob.objects.values_list("sha256", flat=True))
    with blobs.may_drop() as free:
        stored = blobs.stored() if free else ()
        found = [sha256 for sha256, at in stored if sha256 not in known and at < before]
        return sum(_drop(sha256) for sha256 in found) if delete else len(found)


def _drop(sha256: str) -> bool:
    with locked(sha256):
        if Blob.objects.filter(sha256=sha256).exists():
            # somebody sent it again
            return False
        blobs.drop(sha256)
    return True
