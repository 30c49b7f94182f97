"""A colour's hash is that of a frame whose every pixel has it, as ffmpeg would hash a film of it."""

import shutil
import subprocess

import pytest

from eyelevel.capture.colours import hash_of

needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
# planes of green, blue and red
PLANES = {"#ff8000": b"\x80" * 64 * 48 + b"\x00" * 64 * 48 + b"\xff" * 64 * 48, "#ffffff": b"\xff" * 64 * 48 * 3}


@needs_ffmpeg
@pytest.mark.parametrize("colour", PLANES)
def test_the_hash_is_that_of_pixels_of_this_colour(colour: str) -> None:
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "gbrp", "-video_size", "64x48"]
    hashing = ["-i", "pipe:0", "-c:v", "rawvideo", "-f", "framehash", "-hash", "murmur3", "pipe:1"]
    told = subprocess.run([*command, *hashing], input=PLANES[colour], capture_output=True, check=True)
    assert told.stdout.decode().split()[-1] == hash_of(colour, 64, 48)
