"""GET /api/research/studies/{sha256}/export."""

import tempfile

from django.http import FileResponse, HttpRequest
from ninja import Router

from accounts.access import account, researcher_or_studies_token
from exports.handed_out import hand_out
from problems import Problem, not_found
from studies.models import Study

router = Router(tags=["results"])
IN_MEMORY_BYTES = 4 * 1024**2


@router.get("/research/studies/{sha256}/export", auth=researcher_or_studies_token)
def export(request: HttpRequest, sha256: str) -> FileResponse:
    # the other pages of the platform need neither Parquet nor statistics
    from analysis.results import DamagedSnapshotError  # noqa: PLC0415
    from exports.archive import write_archive  # noqa: PLC0415

    study = Study.objects.filter(sha256=sha256).first()
    if study is None:
        raise not_found("study of this digest")
    result = hand_out(study, user=account(request))
    if result is None:
        raise Problem(409, "no_results", "The study has no results yet; there is something to export after a vote.")
    # the response closes it, and with that it is gone
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115
    try:
        write_archive(result, file)
    except DamagedSnapshotError as error:
        file.close()
        raise Problem(503, "snapshot_damaged", str(error)) from error
    file.seek(0)
    name = f"eyelevel-{study.name}-{result.snapshot.sha256[:12]}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
