"""A take's film with the times that capture kept for its frames."""

import json
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.measure.film import measure_film
from eyelevel.measure.metrics import Metrics

FILM = "film.mkv"
TIMES = "frames.json"


def measure_take(folder: Path) -> Metrics:
    """Measure a take's folder: `film.mkv` with the times in `frames.json`."""
    return measure_film(folder / FILM, read_times_ms(folder / TIMES))


def read_times_ms(path: Path) -> list[float]:
    """The list `times_ms` of a frames.json: milliseconds since navigation start, one per stored frame."""
    try:
        value = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} cannot be read as JSON: {error}.") from error
    times = value.get("times_ms") if isinstance(value, dict) else None
    if not isinstance(times, list) or not all(type(ms) in {int, float} for ms in times):
        raise BadInputError(f"{path} must be an object whose `times_ms` is a list of numbers, one per frame.")
    return [float(ms) for ms in times]
