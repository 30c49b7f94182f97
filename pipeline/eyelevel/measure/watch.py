"""Compute histograms while films are made: python -m eyelevel.measure.watch, with a socket as its standard input.

For each film a message comes, {"width_px", "height_px", "to"} as JSON, and with it a pipe that holds the film's
distinct frames as ffmpeg's gbrp: for each, a plane of green, one of blue, one of red, a byte a value. The file `to`
gets their histograms (see spool.py); what is left to do when the film ends is arithmetic on these. The answer is how
many frames there were. One process watches all films, as its start would cost more than a short film.
"""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from eyelevel.measure.histogram import Planes, histogram_of_planes
from eyelevel.measure.spool import Spool

LONGEST = 1 << 16


def watch(stream: IO[bytes], *, width_px: int, height_px: int, to: Path) -> int:
    """Returns how many frames there were; raise ValueError if the last one is torn."""
    with to.open("w+b") as file:
        spool = Spool(file)
        for green, blue, red in frames(stream, width_px=width_px, height_px=height_px):
            spool.add(histogram_of_planes((red, green, blue)))
        return len(spool)


def frames(stream: IO[bytes], *, width_px: int, height_px: int) -> Iterator[Planes]:
    """Three planes of height x width, in the stream's order; the next frame takes their place in memory."""
    planes = np.empty((3, height_px, width_px), np.uint8)
    view = planes.data.cast("B")
    while filled := stream.readinto(view):  # type: ignore[attr-defined]  # every buffered stream has it
        if filled < len(view):
            raise ValueError(f"the film ends after {filled} of {len(view)} bytes of a frame")
        yield planes[0], planes[1], planes[2]


def serve(line: socket.socket) -> None:
    """Watch films in turn until the other end is closed; ValueError for a torn frame."""
    while True:
        message, pipes, _, _ = socket.recv_fds(line, LONGEST, 1)
        if not message:
            return
        asked = json.loads(message)
        with os.fdopen(pipes[0], "rb") as stream:
            count = watch(stream, width_px=asked["width_px"], height_px=asked["height_px"], to=Path(asked["to"]))
        line.send(json.dumps({"frames": count}).encode())


if __name__ == "__main__":
    serve(socket.socket(fileno=0))
