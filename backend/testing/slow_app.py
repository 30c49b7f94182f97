"""A WSGI application without a database, for tests of the web server's worker."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

# larger than a socket's buffer, and than waitress buffers by default
SIZES = {"/long": 8 * 1024 * 1024, "/huge": 40 * 1024 * 1024}


def application(
    environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], Any]
) -> Iterable[bytes]:
    """The paths in SIZES have long responses. Others return the body's digest; a file needs a token."""
    path = environ["PATH_INFO"]
    if size := SIZES.get(path):
        start_response("200 OK", [("Content-Length", str(size))])
        return (b"x" * 65536 for _ in range(size // 65536))
    if "/blobs/" in path and "HTTP_AUTHORIZATION" not in environ:
        start_response("401 Unauthorized", [("Content-Length", "0")])
        return []
    digest, length = hashlib.sha256(), int(environ.get("CONTENT_LENGTH") or 0)
    while length > 0 and (chunk := environ["wsgi.input"].read(min(length, 65536))):
        digest.update(chunk)
        length -= len(chunk)
    text = digest.hexdigest().encode()
    start_response("200 OK", [("Content-Length", str(len(text)))])
    return [text]
