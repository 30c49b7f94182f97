"""Small recordings made on the spot."""

from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

RESTLESS = b"""<!doctype html><title>restless</title><h1>Restless</h1><script>
let hue = 0;
setInterval(() => { document.body.style.background = `hsl(${hue += 40} 80% 60%)`; }, 100);
</script>"""


def record(path: Path, body: bytes, url: str = "https://restless.example/") -> Path:
    """A recording of one page without anything else."""
    headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))]
    answer = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=answer))
    return path
