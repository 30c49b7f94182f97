"""How much a request may send: refused by its Content-Length, before any of it is read."""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from lib.problems import Problem

BLOB = re.compile(r"/api/batches/[^/]+/blobs/[^/]+$")


class BodyLimitMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        limit = limit_bytes(request.method or "", request.path)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > limit:
            problem = Problem(413, "too_large", f"This address takes at most {limit} bytes; the request has {length}.")
            return JsonResponse(problem.as_json(), status=problem.status)
        return self.get_response(request)


def limit_bytes(method: str, path: str) -> int:
    """The most that a request of this kind may send, in bytes."""
    if method == "PUT" and BLOB.match(path):
        return settings.MAX_BLOB_BYTES
    if method == "POST" and path == "/api/batches":
        return settings.MAX_MANIFEST_BYTES
    # a study file has its own limit, which names itself
    return 2 * settings.MAX_BODY_BYTES if path == "/api/research/studies" else settings.MAX_BODY_BYTES
