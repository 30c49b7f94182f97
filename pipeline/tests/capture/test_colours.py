"""A colour's hash is that which ffmpeg gives to a film's frame of this colour."""

import shutil
import subprocess

import pytest

from eyelevel.capture.colours import hash_of

needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
# red, green and blue one after the other, as a screen has them
PIXELS = {"#ff8000": b"\xff\x80\x00", "#ffffff": b"\xff\xff\xff"}


@needs_ffmpeg
@pytest.mark.parametrize("colour", PIXELS)
def test_the_hash_is_that_of_a_screen_of_this_colour_brought_into_planes(colour: str) -> None:
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "64x48"]
    filters = ["-i", "pipe:0", "-filter_complex", "[0:v]format=pix_fmts=gbrp[out]", "-map", "[out]"]
    hashing = ["-c:v", "rawvideo", "-f", "framehash", "-hash", "murmur3", "pipe:1"]
    told = subprocess.run(
        [*command, *filters, *hashing], input=PIXELS[colour] * 64 * 48, capture_output=True, check=True
    )
    assert told.stdout.decode().split()[-1] == hash_of(colour, 64, 48)
