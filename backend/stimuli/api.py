"""Endpoint /api/batches (upload, list of batches, clips for users with an account), and the list of metrics."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Router, Status

from accounts.models import Role
from accounts.permissions import account, admin, admin_or_batches_token, any_account, reader
from eyelevel_core.batch_rules import MAX_FILE_BYTES
from eyelevel_core.model.metrics import METRICS, Metric
from lib.problems import Problem, not_found
from stimuli import commits, uploads
from stimuli.byte_ranges import video_response
from stimuli.deletion import delete_batch
from stimuli.models import Batch, BatchState, Clip
from stimuli.queries import detail, summary
from stimuli.schemas import BatchDetail, BatchSummary, Deletion, MetricOut, Receipt

router = Router(tags=["batches"])


@router.post("/batches", response=Receipt, auth=admin_or_batches_token)
def announce(request: HttpRequest) -> Receipt:
    if int(request.headers.get("Content-Length") or 0) > settings.MAX_MANIFEST_BYTES:
        message = f"The manifest is too large; it may have at most {settings.MAX_MANIFEST_BYTES} bytes."
        raise Problem(413, "too_large", message)
    announced = uploads.announce(request.body, user=account(request))
    receipt = _receipt(announced)
    if announced.state == BatchState.VISIBLE:
        # sending the batch again restores files that the store has lost
        receipt.missing = uploads.lost(announced)
    return receipt


@router.put("/batches/{sha256}/blobs/{digest}", response={204: None}, auth=admin_or_batches_token)
def put_blob(request: HttpRequest, sha256: str, digest: str) -> Status[None]:
    length = request.headers.get("Content-Length")
    if not length or not length.isdigit():
        raise Problem(400, "length_required", "Content-Length is missing; send it, and do not send a chunked body.")
    if int(length) > MAX_FILE_BYTES:
        raise Problem(413, "too_large", f"The file has {length} bytes, but may have at most {MAX_FILE_BYTES}.")
    # the request itself is the stream, so its body is never in memory
    uploads.take_blob(uploads.announced(sha256), digest, stream=request, length_bytes=int(length))
    return Status(204, None)


@router.post("/batches/{sha256}/commit", response={200: Receipt, 202: Receipt}, auth=admin_or_batches_token)
def commit(request: HttpRequest, sha256: str) -> Status[Receipt]:
    receipt = _receipt(commits.begin(sha256))
    return Status(200 if receipt.state == BatchState.VISIBLE else 202, receipt)


@router.get("/batches/{sha256}/commit", response=Receipt, auth=admin_or_batches_token)
def commit_state(request: HttpRequest, sha256: str) -> Receipt:
    return _receipt(commits.watched(sha256))


@router.get("/batches", response=list[BatchSummary], auth=admin_or_batches_token)
def batches(request: HttpRequest) -> list[BatchSummary]:
    return [summary(batch) for batch in Batch.objects.order_by("-created_at")]


@router.get("/batches/{sha256}", response=BatchDetail, auth=admin_or_batches_token)
def batch(request: HttpRequest, sha256: str) -> BatchDetail:
    row = Batch.objects.filter(sha256=sha256).first()
    if row is None:
        raise not_found(f"batch {sha256}")
    return detail(row)


@router.post("/batches/{sha256}/deletion", response={204: None}, auth=admin)
def post_deletion(request: HttpRequest, sha256: str, body: Deletion) -> Status[None]:
    delete_batch(sha256, confirm=body.confirm, by=account(request))
    return Status(204, None)


@router.get("/batches/{sha256}/clips/{digest}", auth=any_account)
def clip(request: HttpRequest, sha256: str, digest: str) -> HttpResponseBase:
    user = account(request)
    visible = Clip.objects.filter(batch_id=sha256, batch__state=BatchState.VISIBLE)
    if user.role == Role.GUEST:
        # only clips of studies that are shared with the guest
        visible = visible.filter(stimuli__study__shares__user=user)
    row = visible.filter(sha256=digest).first()
    if row is None:
        raise not_found("such clip")
    return video_response(request, sha256=row.sha256, size_bytes=row.bytes, etag=row.sha256)


@router.get("/metrics", response=list[MetricOut], auth=reader)
def metrics(request: HttpRequest) -> list[Metric]:
    return list(METRICS)


def _receipt(batch: Batch) -> Receipt:
    missing = uploads.missing(batch) if batch.state == BatchState.RECEIVING else []
    done, total = commits.counts(batch)
    return Receipt(
        sha256=batch.sha256,
        state=BatchState(batch.state),
        missing=missing,
        checks_done=done,
        checks_total=total,
        received_at=batch.received_at or batch.created_at,
    )
