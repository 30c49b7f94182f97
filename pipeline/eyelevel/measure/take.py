"""A take's film with the times that capture kept for its frames."""

from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.files import read_object
from eyelevel.measure.film import measure_film
from eyelevel.measure.metrics import Metrics, of_histograms
from eyelevel.measure.spool import stored

FILM = "film.mkv"
TIMES = "frames.json"
WATCHED = "histograms.bin"


def measure_take(folder: Path) -> Metrics:
    """Measure a take's folder: `film.mkv` with the times in `frames.json`.

    Where the film was watched while it was made, its histograms lie beside it, and it need not be decoded.
    """
    times_ms = read_times_ms(folder / TIMES)
    if not (folder / WATCHED).exists():
        return measure_film(folder / FILM, times_ms)
    try:
        with stored(folder / WATCHED) as histograms:
            return of_histograms([round(ms, 3) for ms in times_ms], histograms)
    except ValueError as error:
        raise BadInputError(f"{folder / FILM} cannot be measured: {error}.") from error


def read_times_ms(path: Path) -> list[float]:
    """The list `times_ms` of a frames.json: milliseconds since navigation start, one per stored frame."""
    times = read_object(path).get("times_ms")
    if not isinstance(times, list) or not all(type(ms) in {int, float} for ms in times):
        raise BadInputError(f"{path} must be an object whose `times_ms` is a list of numbers, one per frame.")
    return [float(ms) for ms in times]
