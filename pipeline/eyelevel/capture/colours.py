"""The hash that a frame of one colour has in a film: asked of the same ffmpeg, once for each colour and size."""

import subprocess
from functools import cache


@cache
def hash_of(colour: str, width_px: int, height_px: int) -> str:
    """As in the lines of framehash that capture.inside.film reads; `colour` is written as in CSS, #rrggbb."""
    source = f"color=c=0x{colour.removeprefix('#')}:s={width_px}x{height_px}"
    command = [
        "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", source,
        "-filter_complex", "[0:v]format=pix_fmts=gbrp[out]", "-map", "[out]", "-frames:v", "1",
        "-c:v", "rawvideo", "-f", "framehash", "-hash", "murmur3", "-format_version", "2", "pipe:1",
    ]  # fmt: skip
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return told.stdout.splitlines()[-1].split(",")[-1].strip()
