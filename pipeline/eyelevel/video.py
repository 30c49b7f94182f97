"""Videos as streams of raw frames, read with ffmpeg and ffprobe.

Only one frame is in memory at a time, so memory does not grow with the length of a video.
"""

import json
import math
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from eyelevel.errors import BadInputError, ToolMissingError

# height x width x 3 (red, green, blue), 8 bits each
Frame = NDArray[np.uint8]
# the largest pipe that Linux allows without privileges: few switches between the programs per frame
PIPE_BYTES = 1 << 20


@dataclass(frozen=True)
class Page:
    """A page within a video, such as a half of a side-by-side clip.

    Its navigation starts at `start_ms` in the video's time, and changes later than `until_ms` after that do not count.
    """

    rows: slice
    columns: slice
    start_ms: float = 0
    until_ms: float = math.inf


@dataclass(frozen=True)
class Video:
    """The first video stream of a file, as ffprobe describes it."""

    path: Path
    codec: str
    pixel_format: str
    width_px: int
    height_px: int
    frame_rate: float
    tags: dict[str, str]

    @property
    def is_rgb(self) -> bool:
        """Returns whether pixels are stored as RGB, so that decoding is lossless."""
        return self.pixel_format.startswith(("rgb", "bgr", "gbr", "0rgb", "0bgr", "argb", "abgr"))


def program(name: str) -> str:
    """Returns the path of ffmpeg or ffprobe; raises ToolMissingError if it is not installed."""
    path = which(name)
    if path is None:
        raise ToolMissingError(f"{name} is not on PATH; install it (Debian: apt-get install ffmpeg).")
    return path


def version() -> str:
    """Returns the version of ffmpeg, e.g. `5.1.9-0+deb12u1`."""
    printed = subprocess.run([program("ffmpeg"), "-version"], capture_output=True, text=True, check=True)
    return printed.stdout.split()[2]


def inspect(path: Path) -> Video:
    """Returns the video in a file; raises BadInputError if ffprobe cannot read a video stream."""
    probed = _ffprobe(path, "-show_streams", "-show_format")
    streams = probed.get("streams", [])
    if not streams or not streams[0].get("width") or not streams[0].get("height"):
        raise BadInputError(f"{path} is not a video: ffprobe finds no video stream in it.")
    stream = streams[0]
    above, _, below = str(stream.get("r_frame_rate", "0/1")).partition("/")
    return Video(
        path=path,
        codec=stream.get("codec_name", "unknown"),
        pixel_format=stream.get("pix_fmt", "unknown"),
        width_px=stream["width"],
        height_px=stream["height"],
        frame_rate=int(above) / int(below or 1) if int(below or 1) else 0.0,
        tags={**probed.get("format", {}).get("tags", {}), **stream.get("tags", {})},
    )


def frame_times_ms(path: Path) -> list[float]:
    """Returns when each frame is shown, in order, in milliseconds since the first, by the container's timestamps."""
    packets = _ffprobe(path, "-show_entries", "packet=pts_time,flags").get("packets", [])
    shown = sorted(float(p["pts_time"]) for p in packets if "pts_time" in p and "D" not in p.get("flags", ""))
    return [round((seconds - shown[0]) * 1000, 3) for seconds in shown]


def decode(video: Video) -> Generator[Frame]:
    """Yields every stored frame in display order, without dropping or repeating any; frames are read-only.

    Raises BadInputError if the file ends in the middle of a frame or cannot be decoded.
    """
    shape = (video.height_px, video.width_px, 3)
    with closing(decode_to(video, "-pix_fmt", "rgb24", frame_bytes=math.prod(shape))) as pictures:
        for data in pictures:
            yield data.reshape(shape)


def decode_to(video: Video, *options: str, frame_bytes: int) -> Generator[NDArray[np.uint8]]:
    """Yields the frames as the bytes that ffmpeg writes with these options, `frame_bytes` per frame."""
    command = [
        *(program("ffmpeg"), "-nostdin", "-loglevel", "error", "-threads", "1", "-i", str(video.path)),
        *("-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", *options, "pipe:1"),
    ]
    with ExitStack() as stack:
        errors = stack.enter_context(tempfile.TemporaryFile())
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, bufsize=0, pipesize=PIPE_BYTES)
        stack.callback(_end, process)
        assert process.stdout is not None  # noqa: S101 - it was requested above
        while data := _read_exactly(process.stdout, frame_bytes):
            if len(data) < frame_bytes:
                raise BadInputError(f"{video.path} ends in the middle of a frame.")
            picture = np.frombuffer(data, np.uint8)
            picture.flags.writeable = False
            yield picture
        if process.wait() != 0:
            errors.seek(0)
            raise BadInputError(f"{video.path} cannot be decoded: {last_line(errors.read())}.")


def last_line(text: bytes) -> str:
    """Returns the last line of ffmpeg's output, without the period."""
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1].rstrip(".") if lines else "ffmpeg gave no reason"


class _Stream(TypedDict):
    width: NotRequired[int]
    height: NotRequired[int]
    codec_name: NotRequired[str]
    pix_fmt: NotRequired[str]
    r_frame_rate: NotRequired[str]
    tags: NotRequired[dict[str, str]]


class _Format(TypedDict):
    tags: NotRequired[dict[str, str]]


class _Packet(TypedDict):
    pts_time: NotRequired[str]
    flags: NotRequired[str]


class _Probed(TypedDict):
    """The parts of ffprobe's output that are used here."""

    streams: NotRequired[list[_Stream]]
    format: NotRequired[_Format]
    packets: NotRequired[list[_Packet]]


def _ffprobe(path: Path, *options: str) -> _Probed:
    command = [program("ffprobe"), "-loglevel", "error", "-of", "json", "-select_streams", "v:0", *options, str(path)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise BadInputError(f"{path} is not a video: {last_line(done.stderr)}.")
    probed: _Probed = json.loads(done.stdout)
    return probed


def _read_exactly(stream: Any, size_bytes: int) -> bytearray:
    """Reads `size_bytes`, or fewer at the end of the stream."""
    data = bytearray(size_bytes)
    view = memoryview(data)
    filled = 0
    while filled < size_bytes and (count := stream.readinto(view[filled:])):
        filled += count
    return data if filled == size_bytes else data[:filled]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends the decoder, also if the reader stopped early."""
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
