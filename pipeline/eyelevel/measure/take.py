"""A take's film with the times that capture kept for its frames."""

from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.measure.film import measure_film
from eyelevel.measure.metrics import Metrics, of_histograms
from eyelevel.measure.spool import stored
from eyelevel_core.batch_folder.takes import FRAMES, read_times_ms

FILM = "film.mkv"
WATCHED = "histograms.bin"


def measure_take(folder: Path) -> Metrics:
    """Measure a take's folder: `film.mkv` with the times in `frames.json`.

    Where the film was watched while it was made, its histograms lie beside it, and it need not be decoded.
    """
    times_ms = read_times_ms(folder / FRAMES)
    if not (folder / WATCHED).exists():
        return measure_film(folder / FILM, times_ms)
    try:
        with stored(folder / WATCHED) as histograms:
            return of_histograms([round(ms, 3) for ms in times_ms], histograms)
    except ValueError as error:
        raise BadInputError(f"{folder / FILM} cannot be measured: {error}.") from error
