"""Reads frames stored as pictures named ms_NNNNNN.png, in milliseconds since navigation start."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from eyelevel.errors import BadInputError
from eyelevel.measure.metrics import Metrics, measure
from eyelevel.video import Frame

NAME = re.compile(r"ms_(\d{6,})\.png")
PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".bmp"}


def measure_folder(folder: Path) -> Metrics:
    """Measures the frames of a folder, compared exactly.

    Raises BadInputError with the file's name if a picture is not named ms_NNNNNN.png, cannot be read, or differs in
    size; and if there is no frame, or none for navigation start.
    """
    try:
        return measure((ms, _read(path)) for ms, path in _listed(folder))
    except ValueError as error:
        raise BadInputError(f"{folder} cannot be measured: {error}.") from error


def _listed(folder: Path) -> Iterator[tuple[int, Path]]:
    pictures = [path for path in folder.iterdir() if path.suffix.lower() in PICTURES]
    if not pictures:
        raise BadInputError(f"{folder} has no frames; they must be named ms_NNNNNN.png, e.g. ms_000920.png.")
    times: dict[int, Path] = {}
    for path in sorted(pictures):
        match = NAME.fullmatch(path.name)
        if match is None:
            raise BadInputError(
                f"{path} is not named like a frame; frames are named ms_NNNNNN.png, e.g. ms_000920.png."
            )
        if int(match[1]) in times:
            raise BadInputError(f"{path} and {times[int(match[1])].name} have the same time; remove one.")
        times[int(match[1])] = path
    if 0 not in times:
        raise BadInputError(f"{folder} lacks ms_000000.png, the frame at navigation start.")
    yield from sorted(times.items())


def _read(path: Path) -> Frame:
    try:
        with Image.open(path) as picture:
            return np.asarray(picture.convert("RGB"))
    except (OSError, UnidentifiedImageError) as error:
        raise BadInputError(f"{path} cannot be read as a picture.") from error
