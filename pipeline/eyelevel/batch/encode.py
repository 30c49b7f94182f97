"""Encodes a clip as H.264 in MP4, reproducibly and without metadata."""

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from eyelevel.errors import EyelevelError
from eyelevel.video import Frame, last_line, program

# One thread, and no code path that depends on the processor, so that a clip made again has the same digest.
# A constant quantizer for every kind of frame, one key frame, no spending by foresight: a picture has its final quality
# from its first frame on and then stands exactly still. A rate factor (crf) repaints it in the frames that follow,
# which people may see and which moves the last visual change.
# No deblocking, which at this quality only blurs text and repaints edges.
# No B-frames: without them every player starts at exactly 0.
# Unit 6 (SEI) is where the encoder would write its name and settings; the tag `encoder` is blanked.
# The quantizer is set per clip: `-qp` follows.
RECIPE = (
    *("-map_metadata", "-1", "-map_chapters", "-1", "-metadata:s:v:0", "encoder= ", "-an"),
    "-vf",
    "scale=in_range=pc:out_range=tv:out_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,"
    "format=pix_fmts=yuv420p",
    *("-c:v", "libx264", "-preset", "veryfast", "-bf", "0", "-threads", "1"),
    *("-x264-params", "cpu-independent=1:keyint=infinite:mbtree=0:ipratio=1:no-deblock=1"),
    *("-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"),
    *("-bsf:v", "filter_units=remove_types=6"),
    *("-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", "-f", "mp4"),
)


def encode(pictures: Iterable[Frame], *, size: tuple[int, int], frame_rate: float, quantizer: int, to: Path) -> int:
    """Write a clip and give the number of its frames; raise EyelevelError with ffmpeg's reason where it fails.

    `quantizer` is x264's: 1 is nearly lossless, each 6 more halve the precision.
    """
    width, height = size
    command = [
        *(program("ffmpeg"), "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"),
        *("-video_size", f"{width}x{height}", "-framerate", f"{frame_rate:g}", "-i", "pipe:0"),
        *(*RECIPE, "-qp", str(quantizer), str(to)),
    ]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors, bufsize=0)
        try:
            count = _feed(process, pictures)
            status = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status != 0:
            errors.seek(0)
            raise EyelevelError(f"ffmpeg could not encode {to.name}: {last_line(errors.read())}.")
    return count


def _feed(process: "subprocess.Popen[bytes]", pictures: Iterable[Frame]) -> int:
    assert process.stdin is not None  # noqa: S101 - it was asked for where the process was started
    count = 0
    with process.stdin as pipe:
        for picture in pictures:
            rest = picture.data.cast("B")
            try:
                while rest:
                    rest = rest[pipe.write(rest) :]
            except BrokenPipeError:
                break  # ffmpeg gave up; its status and reason are read by the caller
            count += 1
    return count
