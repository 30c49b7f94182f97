"""The hash that a wholly white frame has in a film: asked of the same ffmpeg, once for each size."""

import subprocess
from functools import cache


@cache
def white_hash(width_px: int, height_px: int) -> str:
    """As in the lines of framehash that capture.inside.film reads."""
    command = [
        "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", f"color=c=white:s={width_px}x{height_px}",
        "-filter_complex", "[0:v]format=pix_fmts=gbrp[white]", "-map", "[white]", "-frames:v", "1",
        "-c:v", "rawvideo", "-f", "framehash", "-hash", "murmur3", "-format_version", "2", "pipe:1",
    ]  # fmt: skip
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return told.stdout.splitlines()[-1].split(",")[-1].strip()
