"""Maximum size of a request body by method and path, and which bodies are streamed."""

import re

from django.conf import settings

from eyelevel_core.batch_rules import MAX_FILE_BYTES

BLOB = re.compile(r"/api/batches/[^/]+/blobs/[^/]+$")


def limit_bytes(method: str, path: str) -> int:
    """Maximum size of a request body for this method and path, in bytes."""
    if method == "PUT" and BLOB.match(path):
        return MAX_FILE_BYTES
    if method == "POST" and path == "/api/batches":
        return settings.MAX_MANIFEST_BYTES
    # a study file has its own limit with its own message
    return 2 * settings.MAX_BODY_BYTES if path == "/api/research/studies" else settings.MAX_BODY_BYTES


def is_streamed(method: str, path: str) -> bool:
    """Whether the body may be too large to be buffered: manifests and files of a batch, which require a token."""
    return limit_bytes(method, path) > 2 * settings.MAX_BODY_BYTES
