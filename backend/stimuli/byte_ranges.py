"""Serves videos with HTTP byte ranges (RFC 9110, section 14), which players need for seeking and loading."""

import re

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase

from stimuli import blobs
from stimuli.file_part import FilePart

RANGE = re.compile(r"bytes=(\d*)-(\d*)$", re.ASCII)
# more digits than any file size has; Python parses at most 4,300
DIGITS = 18
X_ACCEL_PREFIX = "/blobs/"


def video_response(request: HttpRequest, *, sha256: str, size_bytes: int, etag: str) -> HttpResponseBase:
    """The response with the blob as video/mp4, whole or in part; `etag` must reveal nothing about the clip."""
    etag = f'"{etag}"'
    common = {"Content-Type": "video/mp4", "Cache-Control": "private, max-age=86400, immutable", "ETag": etag}
    if settings.X_ACCEL:
        return HttpResponse(headers=common | {"X-Accel-Redirect": X_ACCEL_PREFIX + blobs.name_of(sha256)})
    common["Accept-Ranges"] = "bytes"
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304, headers=common)
    wanted = request.headers.get("Range", "")
    if request.headers.get("If-Range", etag) != etag:
        wanted = ""
    try:
        part = byte_range(wanted, size_bytes)
    except UnsatisfiableError:
        return HttpResponse(status=416, headers=common | {"Content-Range": f"bytes */{size_bytes}"})
    first, last = part or (0, size_bytes - 1)
    headers = common | {"Content-Length": str(last - first + 1)}
    if part is not None:
        headers["Content-Range"] = f"bytes {first}-{last}/{size_bytes}"
    status = 200 if part is None else 206
    if request.method == "HEAD":
        return HttpResponse(status=status, headers=headers)
    # a file instead of bytes, from which the web server sends at the client's speed (ADR 16)
    response = FileResponse(FilePart(blobs.open_blob(sha256), start=first, length=last - first + 1), status=status)
    for name, value in headers.items():
        response[name] = value
    return response


class UnsatisfiableError(Exception):
    """The range begins after the end of the file, or has too many digits."""


def byte_range(header: str, size_bytes: int) -> tuple[int, int] | None:
    """First and last byte of a single range; None (the whole file) for no range, several ranges or an invalid one."""
    match = RANGE.match(header.strip())
    if match is None or match.groups() == ("", ""):
        return None
    start, end = match.groups()
    if max(len(start), len(end)) > DIGITS:
        raise UnsatisfiableError
    if not start:
        first, last = max(size_bytes - int(end), 0), size_bytes - 1
        if int(end) == 0:
            raise UnsatisfiableError
    else:
        first, last = int(start), min(int(end), size_bytes - 1) if end else size_bytes - 1
        if end and int(end) < int(start):
            return None
    if first >= size_bytes:
        raise UnsatisfiableError
    return first, last
