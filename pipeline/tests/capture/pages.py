"""A page with all that the gates of a replay check look at, as a recording from which responses can be dropped."""

import gzip
from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.capture.recordings import resource, response

PAGE = "https://plain.example/"
SHEET, HEAD_SCRIPT, LATE_SCRIPT = f"{PAGE}page.css", f"{PAGE}head.js", f"{PAGE}late.js"
PICTURE, ICON = f"{PAGE}picture.png", f"{PAGE}icon.png?v=2"
FRAME, FRAME_BELOW = f"{PAGE}frame.html", f"{PAGE}below.html"
WIDTH_PX, HEIGHT_PX = 640, 360
VIEWPORT_PX = WIDTH_PX * HEIGHT_PX
# of the picture; of the icon that is inexact and the bullet that is never recorded
PICTURE_PX, ICONS_PX = 320 * 200, 16 * 16 + 30 * 30
DOCUMENT = f"""<!doctype html><title>plain</title><link rel="stylesheet" href="{SHEET}">
<script src="{HEAD_SCRIPT}"></script><script async src="{LATE_SCRIPT}"></script>
<h1>Plain</h1><img src="{PICTURE}" width="320" height="200"><img src="{PAGE}icon.png?v=1" width="16" height="16">
<p style="background: url({PAGE}bullet.png) no-repeat 100% 50%; width: 600px; height: 30px; margin: 0">item</p>
<iframe src="{FRAME}" width="120" height="60"></iframe>
<div style="margin-top: 900px"><iframe src="{FRAME_BELOW}" width="120" height="60"></iframe></div>
<script>for (let i = 0; i < 50; i += 1) new Image().src = `{PAGE}count?n=${{i}}`;</script>"""

Responses = Mapping[str, tuple[bytes, str]]


def painted(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), colour).save(file, "PNG")
    return file.getvalue()


RESPONSES: Responses = {
    PAGE: (DOCUMENT.encode(), "text/html; charset=utf-8"),
    SHEET: (b"body { margin: 8px; background: #eef; }", "text/css"),
    HEAD_SCRIPT: (b"document.documentElement.lang = 'en';", "text/javascript"),
    LATE_SCRIPT: (b"/* late */", "text/javascript"),
    PICTURE: (painted(320, 200, (60, 120, 60)), "image/png"),
    ICON: (painted(16, 16, (180, 60, 60)), "image/png"),
    FRAME: (b"<!doctype html><p>frame", "text/html"),
    FRAME_BELOW: (b"<!doctype html><p>below", "text/html"),
}


def write(
    path: Path, responses: Responses = RESPONSES, *, without: Collection[str] = (), screenshot: bytes | None = None
) -> Path:
    """A recording of these responses, and of a screenshot as `eyelevel record` keeps it."""
    records = [response(url, *answer, "no-store") for url, answer in responses.items() if url not in without]
    if screenshot is not None:
        records.append(resource("urn:eyelevel:screenshot", screenshot, "image/png"))
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path
