"""Videos as streams of raw frames, by the programs ffmpeg and ffprobe; for every stage that looks at pictures.

Never more than one frame is held: memory does not grow with the length of a video.
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
# the largest pipe that Linux gives without asking: few turns between two programs for a picture
PIPE_BYTES = 1 << 20


@dataclass(frozen=True)
class Page:
    """A page within a video, such as a half of a side-by-side clip.

    It has rows and columns, and a navigation that starts at `start_ms` in the video's own time.

    What it shows later than `until_ms` after that does not count.
    """

    rows: slice
    columns: slice
    start_ms: float = 0
    until_ms: float = math.inf


@dataclass(frozen=True)
class Video:
    """What ffprobe says about the first video stream of a file."""

    path: Path
    codec: str
    pixel_format: str
    width_px: int
    height_px: int
    frame_rate: float
    tags: dict[str, str]

    @property
    def is_rgb(self) -> bool:
        """Whether pixels are stored as red, green, blue, so that reading them back loses nothing."""
        return self.pixel_format.startswith(("rgb", "bgr", "gbr", "0rgb", "0bgr", "argb", "abgr"))


def program(name: str) -> str:
    """The path of ffmpeg or ffprobe; raise ToolMissingError where it is not installed."""
    found = which(name)
    if found is None:
        raise ToolMissingError(f"{name} is not on PATH; install it (Debian: apt-get install ffmpeg).")
    return found


def version() -> str:
    """The version of ffmpeg, e.g. `5.1.9-0+deb12u1`."""
    printed = subprocess.run([program("ffmpeg"), "-version"], capture_output=True, text=True, check=True)
    return printed.stdout.split()[2]


def inspect(path: Path) -> Video:
    """Raise BadInputError if `path` is not a file with a video stream that ffprobe can read."""
    found = _ffprobe(path, "-show_streams", "-show_format")
    streams = found.get("streams", [])
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
        tags={**found.get("format", {}).get("tags", {}), **stream.get("tags", {})},
    )


def frame_times_ms(path: Path) -> list[float]:
    """When each frame shows, in the order of showing, as milliseconds since the first (the container's timestamps)."""
    packets = _ffprobe(path, "-show_entries", "packet=pts_time,flags").get("packets", [])
    shown = sorted(float(p["pts_time"]) for p in packets if "pts_time" in p and "D" not in p.get("flags", ""))
    return [round((seconds - shown[0]) * 1000, 3) for seconds in shown]


def decode(video: Video) -> Generator[Frame]:
    """Every stored frame, in the order of showing: none dropped, none repeated; frames are read-only.

    Raise BadInputError if the file ends in the middle of a frame or cannot be decoded.
    """
    shape = (video.height_px, video.width_px, 3)
    with closing(decode_to(video, "-pix_fmt", "rgb24", frame_bytes=math.prod(shape))) as pictures:
        for data in pictures:
            yield data.reshape(shape)


def decode_to(video: Video, *options: str, frame_bytes: int) -> Generator[NDArray[np.uint8]]:
    """The same as the bytes that ffmpeg gives with these options, `frame_bytes` for each frame."""
    command = [
        *(program("ffmpeg"), "-nostdin", "-loglevel", "error", "-threads", "1", "-i", str(video.path)),
        *("-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", *options, "pipe:1"),
    ]
    with ExitStack() as stack:
        errors = stack.enter_context(tempfile.TemporaryFile())
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, bufsize=0, pipesize=PIPE_BYTES)
        stack.callback(_end, process)
        assert process.stdout is not None  # noqa: S101 - it was asked for in the line above
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
    """What ffprobe prints, as far as it is read and was asked for."""

    streams: NotRequired[list[_Stream]]
    format: NotRequired[_Format]
    packets: NotRequired[list[_Packet]]


def _ffprobe(path: Path, *options: str) -> _Probed:
    command = [program("ffprobe"), "-loglevel", "error", "-of", "json", "-select_streams", "v:0", *options, str(path)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise BadInputError(f"{path} is not a video: {last_line(done.stderr)}.")
    found: _Probed = json.loads(done.stdout)
    return found


def _read_exactly(stream: Any, size_bytes: int) -> bytearray:
    """Up to `size_bytes`, fewer only at the stream's end."""
    data = bytearray(size_bytes)
    view = memoryview(data)
    filled = 0
    while filled < size_bytes and (count := stream.readinto(view[filled:])):
        filled += count
    return data if filled == size_bytes else data[:filled]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Leave no decoder behind, also when the reader stopped early."""
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
