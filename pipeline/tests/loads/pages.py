"""Pages with all that the gates of a replay check look at, as recordings from which responses can be dropped."""

import gzip
from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.loads.recordings import resource, response

PAGE = "https://plain.example/"
SHEET, TOOLTIP, HEAD_SCRIPT, LATE_SCRIPT = (f"{PAGE}{name}" for name in ("page.css", "tip.css", "head.js", "late.js"))
PICTURE, ICON = f"{PAGE}picture.png", f"{PAGE}icon.png?v=2"
FRAME, FRAME_BELOW = f"{PAGE}frame.html", f"{PAGE}below.html"
WIDTH_PX, HEIGHT_PX = 640, 360
VIEWPORT_PX = WIDTH_PX * HEIGHT_PX
# of the picture; of the icon that is inexact and the bullet that is never recorded
PICTURE_PX, ICONS_PX = 320 * 200, 16 * 16 + 30 * 30
DOCUMENT = f"""<!doctype html><title>plain</title><link rel="stylesheet" href="{SHEET}">
<link rel="stylesheet" href="{TOOLTIP}"><script src="{HEAD_SCRIPT}"></script><script async src="{LATE_SCRIPT}"></script>
<h1>Plain</h1><img src="{PICTURE}" width="320" height="200"><img src="{PAGE}icon.png?v=1" width="16" height="16">
<p style="background: url({PAGE}bullet.png) no-repeat 100% 50%; width: 600px; height: 30px; margin: 0">item</p>
<iframe src="{FRAME}" width="120" height="60"></iframe>
<div style="margin-top: 900px"><iframe src="{FRAME_BELOW}" width="120" height="60"></iframe></div>
<script>for (let i = 0; i < 50; i += 1) new Image().src = `{PAGE}count?n=${{i}}`;</script>"""

# body, media type and more header lines
Responses = Mapping[str, tuple[bytes, str] | tuple[bytes, str, str]]


def painted(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), colour).save(file, "PNG")
    return file.getvalue()


RESPONSES: Responses = {
    PAGE: (DOCUMENT.encode(), "text/html; charset=utf-8"),
    SHEET: (b"body { margin: 8px; background: #eef; }", "text/css"),
    TOOLTIP: (b".tooltip { position: absolute; background: #333; color: #fff; }", "text/css"),
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
    records = [
        response(url, body, media_type, "no-store", *more)
        for url, (body, media_type, *more) in responses.items()
        if url not in without
    ]
    if screenshot is not None:
        records.append(resource("urn:eyelevel:screenshot", screenshot, "image/png"))
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path


OTHER = "https://other.example/"
NOSNIFF = "X-Content-Type-Options: nosniff\r\n"
SCRIPT = b"document.documentElement.lang = 'en';"
# recorded answers that Chromium refuses: for their digest, or for their media type, of another origin (ORB) or not
REFUSED: Responses = {
    PAGE: (
        f"""<!doctype html><title>refused</title>
        <script src="digest.js" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="></script>
        <script src="type.js"></script><script src="{HEAD_SCRIPT}"></script><script src="{OTHER}data.js"></script>
        <link rel="stylesheet" href="type.css">
        <body style="margin: 0"><img src="{OTHER}page.png" width="320" height="200">""".encode(),
        "text/html",
    ),
    f"{PAGE}digest.js": (SCRIPT, "text/javascript"),
    f"{PAGE}type.js": (SCRIPT, "text/html", NOSNIFF),
    HEAD_SCRIPT: (SCRIPT, "text/javascript"),
    f"{OTHER}data.js": (b'{"data": 1}', "application/json", NOSNIFF),
    f"{PAGE}type.css": (b"body { margin: 8px }", "text/html", NOSNIFF),
    f"{OTHER}page.png": (b"<!doctype html><p>page", "text/html"),
}
# a missing picture that covers much, in pages from whose elements its size is not read off; and its area
LARGE: Mapping[str, tuple[str, float]] = {
    "a background behind text": (
        '<h1 style="background: url(hero.png) no-repeat; margin: 0; height: 200px">Plain</h1>', WIDTH_PX * 200,
    ),
    "an image that keeps its ratio": (
        '<style>img { max-width: 100%; height: auto }</style><img src="hero.png" width="1280" height="400">',
        WIDTH_PX * 200,
    ),
    "an image that is hidden when it fails": (
        """<img src="hero?id=1" width="320" height="200" onerror="this.style.display = 'none'">""", 320 * 200,
    ),
    "an image that is replaced when it fails": (
        """<img src="hero.png" width="320" height="200" onerror="this.onerror = null; this.src = 'data:,'">""",
        320 * 200,
    ),
}  # fmt: skip
# a page that comes again until its cookie is there, which expires by its own date
COOKIE = b"""<!doctype html><title>cookie</title><script>
if (!document.cookie.includes("seen=1")) {
  document.cookie = "seen=1; path=/; expires=" + new Date(Date.now() + 3600000).toUTCString();
  location.reload();
}
</script><h1>There</h1>"""
# pages that nobody can measure; Chromium refuses more than 200 navigations in 10 s, so the reloads leave time between
RELOADING = b"""<!doctype html><title>again</title><h1>Again</h1><script>
setTimeout(() => location.reload(), 100);
</script>"""
ENDLESS = b"""<!doctype html><title>endless</title><h1>Endless</h1><iframe id="open"></iframe><script>
const inner = document.getElementById("open").contentDocument;
inner.open();
inner.write("never closed");
</script>"""


def large(name: str) -> Responses:
    return {PAGE: (f'<!doctype html><body style="margin: 0">{LARGE[name][0]}'.encode(), "text/html")}
