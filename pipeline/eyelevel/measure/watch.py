"""Compute visual metrics while films are made: python -m eyelevel.measure.watch, with a socket as its standard input.

For each film a message comes, {"changes", "width_px", "height_px", "to", "mask"} as JSON. `changes` is the file that
the recorder writes. The file `to` gets the histograms of its frames (see parts.py), split by the regions of the motion
mask in the file `mask` (null: no mask); what is left to do when the film ends is arithmetic on these. {"changed"} comes
for each frame, a list of [part, entropy in bits]. The answer is {"frames"}, how many
there were. A second message, {"folder", "mask"}, says that the folder holds the times of the frames, too; it gets
PROGRESS, and the answer is {"error"}, a sentence or null. One process watches all films, as its start would cost more
than a short film.
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
    """Follow a changes file to its end; returns how many frames there were. Raise BadInputError if it is damaged.

    `tell` gets the parts that changed in each frame, as it comes.
    """
    splitter, count = ChangeSplitter(mask, width_px=width_px, height_px=height_px), 0
    with to.open("w+b") as counted:
        parts = PartsFile(counted)
        for changed in changes(file):
            found = splitter.split(changed)
            parts.add(found)
            tell(found)
            count += 1
    return count


class Asked(TypedDict):
    """A question: to watch a film's `changes`, or to measure the film in `folder`. `mask` is the file of a mask."""

    mask: str | None
    folder: NotRequired[str]
    changes: NotRequired[str]
    width_px: NotRequired[int]
    height_px: NotRequired[int]
    to: NotRequired[str]


def serve(line: socket.socket) -> None:
    """Watch films in turn until the other end is closed; BadInputError for a film that is damaged."""
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
    """Write a take's metrics beside its film; returns what is wrong with it, else None."""
    try:
        (folder / PROGRESS).write_text(json.dumps(measure_take(folder, mask).as_json()) + "\n")
    except (EyelevelError, OSError) as error:
        return str(error)
    return None


if __name__ == "__main__":
    serve(socket.socket(fileno=0))
