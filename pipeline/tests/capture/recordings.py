"""Small recordings made on the spot."""

import gzip
from pathlib import Path

RESTLESS = b"""<!doctype html><title>restless</title><h1>Restless</h1><script>
let hue = 0;
setInterval(() => { document.body.style.background = `hsl(${hue += 40} 80% 60%)`; }, 100);
</script>"""


def record(path: Path, body: bytes, url: str = "https://restless.example/") -> Path:
    """A recording of one page without anything else."""
    answer = (
        f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    )
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer) + len(body)}\r\n\r\n"
    )
    path.write_bytes(gzip.compress(head.encode() + answer + body + b"\r\n\r\n"))
    return path
