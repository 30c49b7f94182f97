"""Computes visual metrics while films are made: python -m eyelevel.measure.watch, with a socket as its standard input.

The request for each film is {"changes", "width_px", "height_px", "to", "mask"} as JSON. `changes` is the file that the
recorder writes. The histograms of its frames are written to the file `to` (see parts.py), split by the regions of the
motion mask in the file `mask` (null: no mask); the metrics are then computed from these. For each frame, {"changed"} is
sent, a list of [part, entropy in bits]. The response is {"frames"}, the number of frames. A second request, {"folder",
"mask"}, is sent once the folder has the times of the frames; PROGRESS is written to it, and the response is {"error"},
a sentence or null. One process watches all films, because starting it takes longer than measuring a short film.
"""

import json
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

from eyelevel.errors import EyelevelError
from eyelevel.measure.changes import changes
from eyelevel.measure.parts import ChangeSplitter, Part, PartsFile
from eyelevel.measure.take import measure_take
from eyelevel_core.batch_folder.masks import read_mask
from eyelevel_core.model.mask import Mask

LONGEST = 1 << 16
# beside a take's film: its metrics, as `eyelevel measure --json` prints them
PROGRESS = "progress.json"


def watch(
    file: Path,
    *,
    width_px: int,
    height_px: int,
    to: Path,
    mask: Mask | None = None,
    tell: Callable[[Sequence[Part]], None] = lambda _: None,
) -> int:
    """Follows a changes file to its end, and returns the number of frames; raises BadInputError if it is damaged.

    `tell` is called with the changed parts of each frame as it arrives.
    """
    splitter, count = ChangeSplitter(mask, width_px=width_px, height_px=height_px), 0
    with to.open("w+b") as counted:
        parts = PartsFile(counted)
        for changed in changes(file):
            changed_parts = splitter.split(changed)
            parts.add(changed_parts)
            tell(changed_parts)
            count += 1
    return count


class Asked(TypedDict):
    """A request to watch a film's `changes`, or to measure the film in `folder`; `mask` is the file of a mask."""

    mask: str | None
    folder: NotRequired[str]
    changes: NotRequired[str]
    width_px: NotRequired[int]
    height_px: NotRequired[int]
    to: NotRequired[str]


def serve(line: socket.socket) -> None:
    """Watches films in turn until the other end is closed; raises BadInputError for a damaged film."""
    while message := line.recv(LONGEST):
        _send(line, _answer(json.loads(message), line))


def _send(line: socket.socket, message: Mapping[str, object]) -> None:
    line.send(json.dumps(message).encode())


def _answer(asked: Asked, line: socket.socket) -> dict[str, object]:
    mask = None if asked["mask"] is None else read_mask(Path(asked["mask"]))
    if "folder" in asked:
        return {"error": measured(Path(asked["folder"]), mask)}

    def tell(parts: Sequence[Part]) -> None:
        _send(line, {"changed": [[part.part, part.bits] for part in parts]})

    size = {"width_px": asked["width_px"], "height_px": asked["height_px"]}
    return {"frames": watch(Path(asked["changes"]), **size, to=Path(asked["to"]), mask=mask, tell=tell)}


def measured(folder: Path, mask: Mask | None = None) -> str | None:
    """Writes a take's metrics beside its film; returns an error message, or None."""
    try:
        (folder / PROGRESS).write_text(json.dumps(measure_take(folder, mask).as_json()) + "\n")
    except (EyelevelError, OSError) as error:
        return str(error)
    return None


if __name__ == "__main__":
    serve(socket.socket(fileno=0))
