"""Decodes the distinct frames of a stored video; ffmpeg drops repeated frames."""

import subprocess
import tempfile
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.filters import distinct
from eyelevel.measure.histogram import Planes
from eyelevel.measure.planes import frames
from eyelevel.video import Video, last_line, program

# common to all outputs: no frame is dropped or repeated, times are in microseconds
EXACT = ("-fps_mode", "passthrough", "-enc_time_base", "1:1000000", "-c:v", "rawvideo")


@dataclass
class Times:
    """Times of a video's frames in microseconds: all, and the distinct ones; complete after the last frame."""

    all_us: list[int] = field(default_factory=list)
    given_us: list[int] = field(default_factory=list)


# how frames are compared: as red, green and blue, or in the colours in which they are stored, which is cheaper
IN_RGB, AS_STORED = "gbrp", "gbrp|yuv420p"


def distinct_frames(video: Video, times: Times, *, compared: str = IN_RGB) -> Generator[Planes]:
    """Yields red, green and blue of each frame that differs from the one before; the next one overwrites it in memory.

    Raises BadInputError if the file ends in the middle of a frame or cannot be decoded.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        errors = stack.enter_context(tempfile.TemporaryFile())
        process = subprocess.Popen(_command(video, folder, compared), stdout=subprocess.PIPE, stderr=errors)
        stack.callback(_end, process)
        assert process.stdout is not None  # noqa: S101 - it was requested above
        try:
            for green, blue, red in frames(process.stdout, width_px=video.width_px, height_px=video.height_px):
                yield red, green, blue
        except ValueError as error:
            raise BadInputError(f"{video.path} ends in the middle of a frame.") from error
        if process.wait() != 0:
            errors.seek(0)
            raise BadInputError(f"{video.path} cannot be decoded: {last_line(errors.read())}.")
        times.all_us, times.given_us = _times(folder / "all"), _times(folder / "given")


def _command(video: Video, folder: Path, compared: str) -> list[str]:
    filters = (
        f"[0:v:0]format=pix_fmts={compared},split=outputs=2[every][look];[every]crop=w=2:h=2:x=0:y=0[all];"
        f"[look]{distinct(video.width_px, video.height_px)},format=pix_fmts=gbrp,split=outputs=2[pixels][one];"
        "[one]crop=w=2:h=2:x=0:y=0[given]"
    )
    return [
        program("ffmpeg"), "-nostdin", "-loglevel", "error", "-copyts", "-i", str(video.path),
        "-filter_complex", filters,
        "-map", "[pixels]", *EXACT, "-f", "rawvideo", "pipe:1",
        "-map", "[given]", *EXACT, "-f", "framecrc", str(folder / "given"),
        "-map", "[all]", *EXACT, "-f", "framecrc", str(folder / "all"),
    ]  # fmt: skip


def _times(path: Path) -> list[int]:
    """The presentation times in a file of framecrc."""
    with path.open() as lines:
        return [int(line.split(",")[2]) for line in lines if not line.startswith("#")]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends the decoder, also if the reader stopped early."""
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
