"""GET /api/research/studies/{sha256}/export."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Annotated

from django.http import FileResponse, HttpRequest
from ninja import Query, Router

from accounts.permissions import account, reader
from analysis.blinding import unblind
from analysis.models import ResultOrigin
from analysis.showing.looks import record_look
from audit.log import record
from audit.models import What
from exports.export_log import hand_out
from eyelevel_core.contracts import short
from lib.problems import Problem
from studies.permissions import study_for

router = Router(tags=["results"])
IN_MEMORY_BYTES = 4 * 1024**2
# An export reads all votes of a snapshot: with a million it takes minutes and gigabytes. One at a time in a process
# leaves threads, processor and memory to others; a small one is over before the next has waited so long.
PATIENCE_S = 5.0
RETRY_S = 60
_exporting = Lock()


@router.get("/research/studies/{sha256}/export", auth=reader)
def export(
    request: HttpRequest, sha256: str, origin: Annotated[ResultOrigin, Query()] = ResultOrigin.PERSON
) -> FileResponse:
    """The zip file; its tables and CSV files of votes, plays and sessions are those of people, or of all origins."""
    # the other pages of the platform need no Parquet
    from analysis.snapshots.files import DamagedSnapshotError  # noqa: PLC0415
    from exports.archive import write_archive  # noqa: PLC0415

    user = account(request)
    study = study_for(user, sha256, "export")
    with _in_turn():
        handed = hand_out(study, origin, user=user)
        if handed is None:
            raise Problem(409, "no_results", "The study has no results yet; there is something to export after a vote.")
        result, own = handed
        # it has results by stack
        unblind(user, study)
        record_look(user, study, result, by="export")
        # the response closes it, and with that it is gone
        file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115
        try:
            write_archive(own, file)
        except DamagedSnapshotError as error:
            file.close()
            raise Problem(503, "snapshot_damaged", str(error)) from error
    file.seek(0)
    record(user, What.EXPORT, study, {"snapshot": result.snapshot.sha256, "origin": origin})
    whose = "" if origin == ResultOrigin.PERSON else f"-{origin}"
    name = f"eyelevel-{study.name}-{short(result.snapshot.sha256)}{whose}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@contextmanager
def _in_turn() -> Iterator[None]:
    """Raise Problem 429 `busy` if another export of this process is not done within PATIENCE_S."""
    if not _exporting.acquire(timeout=PATIENCE_S):
        message = f"Another export is being made; try again in {RETRY_S} s."
        raise Problem(429, "busy", message, retry=True, details={"retry_after_s": RETRY_S})
    try:
        yield
    finally:
        _exporting.release()
