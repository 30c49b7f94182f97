"""Encodes a clip as H.264 in MP4, reproducibly and without metadata."""

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from eyelevel.batch import timed
from eyelevel.batch.planar import Picture
from eyelevel.errors import EyelevelError
from eyelevel.video import PIPE_BYTES, last_line, program

# The frame rate is constant, and ffmpeg repeats pictures: players report each frame, by which a stall is recognised.
# One thread, and no code path that depends on the processor, so that a clip made again has the same digest.
# A constant quantizer for every kind of frame, one key frame, no spending by foresight: a picture has its final quality
# from its first frame on and then stands exactly still. A rate factor (crf) repaints it in the frames that follow,
# which people may see and which moves the last visual change.
# Nothing is looked up ahead, since nothing is decided by it then, and repeated pictures cost least.
# No deblocking, which at this quality only blurs text and repaints edges.
# No B-frames: without them every player starts at exactly 0.
# Unit 6 (SEI) is where the encoder would write its name and settings; the tag `encoder` is blanked.
# The quantizer is set per clip: `-qp` follows.
RECIPE = (
    *("-map_metadata", "-1", "-map_chapters", "-1", "-metadata:s:v:0", "encoder= ", "-an"),
    *("-c:v", "libx264", "-preset", "veryfast", "-bf", "0", "-threads", "1", "-x264-params"),
    "cpu-independent=1:keyint=infinite:mbtree=0:ipratio=1:no-deblock=1:scenecut=0:rc-lookahead=0:weightp=0",
    *("-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"),
    *("-bsf:v", "filter_units=remove_types=6"),
    *("-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", "-f", "mp4"),
)


def encode(
    pictures: Iterable[tuple[int, Picture]], *, size: tuple[int, int], frame_rate: int, quantizer: int, to: Path
) -> None:
    """Encodes a clip; each picture, including the last, has the number of its first frame.

    `quantizer` is x264's: 1 is nearly lossless, and each further 6 halve the precision. Raises EyelevelError with
    ffmpeg's reason if it fails.
    """
    command = [
        *(program("ffmpeg"), "-nostdin", "-loglevel", "error", "-y", "-f", "matroska", "-i", "pipe:0"),
        *("-vf", f"fps=fps={frame_rate}:round=near", *RECIPE, "-qp", str(quantizer), str(to)),
    ]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors, bufsize=0, pipesize=PIPE_BYTES)
        try:
            _feed(process, timed.head(width_px=size[0], height_px=size[1], frame_rate=frame_rate), pictures)
            status = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status != 0:
            errors.seek(0)
            raise EyelevelError(f"ffmpeg could not encode {to.name}: {last_line(errors.read())}.")


def _feed(process: "subprocess.Popen[bytes]", head: bytes, pictures: Iterable[tuple[int, Picture]]) -> None:
    assert process.stdin is not None  # noqa: S101 - it was asked for where the process was started
    with process.stdin as pipe:
        try:
            pipe.write(head)
            for frame, picture in pictures:
                pipe.write(timed.before(frame, picture))
                rest = picture.data.data
                while rest:
                    rest = rest[pipe.write(rest) :]
        except BrokenPipeError:
            pass  # ffmpeg failed; the caller reads its status and reason
