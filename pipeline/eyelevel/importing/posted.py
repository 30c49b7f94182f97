"""Restores requests that web archives store as GET: POST and the like, with the body appended to the URL. Pure.

ArchiveWeb.page writes `URL?__wb_method=POST&QUERY` where it does not have the request itself (older files:
`URL?__wb_post=1&QUERY`). pywb and wabac.js use such URLs in their indexes. QUERY is the body of a form, what is left
of a JSON body, or `__wb_post_data=` with the body in base64. Only the last gives the body back as it was sent.

Sources: `postToGetUrl` of warcio.js (src/lib/utils.ts), `createWARCRecord` of ArchiveWeb.page (src/sw/downloader.ts),
and the IIPC's guideline on CDX indexes of requests that are not GET.
"""

import base64
import binascii
import re
from dataclasses import dataclass

from eyelevel.importing.wire import Headers, without

APPENDED = re.compile(r"[?&](?:__wb_method=(?P<method>[A-Za-z]+)|__wb_post=[^&]*)(?:&(?P<query>.*))?$", re.DOTALL)
WHOLE_BODY = "__wb_post_data="


@dataclass(frozen=True)
class Posted:
    """A request as it was sent; `body` is None if the file does not have it."""

    url: str
    method: str
    body: bytes | None


def restored(url: str) -> Posted | None:
    """Returns the request that a URL with an appended body represents; None for other URLs."""
    match = APPENDED.search(url)
    if match is None:
        return None
    return Posted(url[: match.start()], (match["method"] or "POST").upper(), _body(match["query"] or ""))


def _body(query: str) -> bytes | None:
    if not query.startswith(WHOLE_BODY):
        return None
    try:
        return base64.b64decode(query.removeprefix(WHOLE_BODY), validate=True)
    except (binascii.Error, ValueError):
        return None


def with_body(body: bytes | None, headers: Headers) -> tuple[bytes, Headers]:
    """Returns the body with its header; an unknown body is announced, but left out, so that replay matches any body."""
    others = without(headers, "content-length", "transfer-encoding")
    if body is None:
        return b"", (*others, ("Transfer-Encoding", "chunked"))
    return body, (*others, ("Content-Length", str(len(body))))
