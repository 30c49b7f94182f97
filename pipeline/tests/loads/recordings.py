"""Small recordings made on the spot."""

import gzip
from pathlib import Path

RESTLESS = b"""<!doctype html><title>restless</title><h1>Restless</h1><script>
let hue = 0;
setInterval(() => { document.body.style.background = `hsl(${hue += 40} 80% 60%)`; }, 100);
</script>"""

# from then on nobody can ask the page anything
BUSY = b"<!doctype html><title>busy</title><h1>Busy</h1><script>setTimeout(() => { for (;;); }, 700);</script>"

WITH_STYLE = b"""<!doctype html><title>styled</title><link rel="stylesheet" href="/a.css"><h1>Styled</h1>"""
STYLE = b"h1 { color: #064; } /* " + b"as long as a style sheet usually is " * 2000 + b"*/"


def record(path: Path, body: bytes, url: str = "https://restless.example/") -> Path:
    """A recording of one page, and of the style sheet beside it, which a browser may keep for an hour."""
    page = response(url, body, "text/html; charset=utf-8", "no-store")
    style = response(f"{url}a.css", STYLE, "text/css", "max-age=3600")
    path.write_bytes(gzip.compress(page) + gzip.compress(style))
    return path


def response(url: str, body: bytes, media_type: str, caching: str, more: str = "") -> bytes:
    """A record of a response of status 200; `more` are header lines."""
    answer = (
        f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n"
        f"Date: Tue, 20 Feb 2018 12:00:00 GMT\r\nCache-Control: {caching}\r\n{more}\r\n"
    ).encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{len(url):012d}>\r\n"
        f"WARC-Date: 2018-02-20T12:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer) + len(body)}\r\n\r\n"
    )
    return head.encode() + answer + body + b"\r\n\r\n"


def resource(name: str, body: bytes, media_type: str) -> bytes:
    """A record of something else than a response, such as a screenshot."""
    head = (
        f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-999999999999>\r\n"
        f"WARC-Date: 2018-02-20T12:00:00Z\r\nWARC-Target-URI: {name}\r\n"
        f"Content-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"
