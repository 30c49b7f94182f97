"""Measures a take's film with the frame times that capture recorded."""

from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.measure.film import measure_film
from eyelevel.measure.frozen import of_parts
from eyelevel.measure.metrics import Metrics
from eyelevel.measure.parts import stored
from eyelevel_core.batch_folder.takes import FRAMES, read_frames
from eyelevel_core.model.mask import Mask

FILM = "film.mkv"
WATCHED = "histograms.bin"


def measure_take(folder: Path, mask: Mask | None = None) -> Metrics:
    """Measures a take's folder: `film.mkv` with the times in `frames.json`, and with the regions of a mask frozen.

    If the film was watched while it was made, its histograms are in the folder, and it is not decoded; they must have
    been split by the same mask. They may have more frames than there are times, because the film ends before these.
    """
    frames = read_frames(folder / FRAMES)
    times_ms, end_ms = [float(ms) for ms in frames.times_ms], frames.end_ms
    if not (folder / WATCHED).exists():
        return measure_film(folder / FILM, times_ms, mask, end_ms=end_ms)
    try:
        with stored(folder / WATCHED) as parts:
            parts.cut(len(times_ms))
            return of_parts([round(ms, 3) for ms in times_ms], parts, mask, end_ms=end_ms)
    except ValueError as error:
        raise BadInputError(f"{folder / FILM} cannot be measured: {error}.") from error
