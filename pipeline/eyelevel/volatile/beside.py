"""The file of volatile parameters beside a recording."""

from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder.volatile import read_volatile, volatile_name


def place_beside(recording: Path) -> Path:
    """Returns the path of the file beside a recording."""
    return recording.parent / volatile_name(recording)


def volatile_beside(recording: Path, digest: str) -> Path | None:
    """Returns the file beside a recording whose SHA-256 is `digest`; None if it does not exist.

    Raises ContractError if it cannot be read, and BadInputError if it is of another recording: it may have been
    corrected by hand, so it is not replaced without a request.
    """
    path = place_beside(recording)
    if not path.is_file():
        return None
    if (named := read_volatile(path).recording) != digest:
        raise BadInputError(
            f"{path} lists the volatile parameters of another recording ({named[:12]}...) than "
            f"{recording.name} ({digest[:12]}...); remove it, or run eyelevel replay learn --again."
        )
    return path
