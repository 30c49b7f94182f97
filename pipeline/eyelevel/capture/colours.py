"""Computes the hash that ffmpeg gives a frame of one colour; once per colour and size."""

import subprocess
from functools import cache


@cache
def hash_of(colour: str, width_px: int, height_px: int) -> str:
    """As in the lines of framehash that capture.inside.film reads; `colour` is written as in CSS, #rrggbb."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    pixels = b"".join(bytes([value]) * (width_px * height_px) for value in (green, blue, red))
    command = [
        "ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "gbrp",
        "-video_size", f"{width_px}x{height_px}", "-i", "pipe:0",
        "-c:v", "rawvideo", "-f", "framehash", "-hash", "murmur3", "-format_version", "2", "pipe:1",
    ]  # fmt: skip
    told = subprocess.run(command, input=pixels, capture_output=True, check=True)
    return told.stdout.decode().splitlines()[-1].split(",")[-1].strip()
