"""Finds the file of volatile parameters that lies beside a recording."""

from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder.volatile import read_volatile, volatile_name


def place_beside(recording: Path) -> Path:
    """Where the file lies beside the recording."""
    return recording.parent / volatile_name(recording)


def volatile_beside(recording: Path, digest: str) -> Path | None:
    """The file beside the recording, whose SHA-256 is `digest`; None where there is no such file.

    Raise ContractError where it cannot be read, and BadInputError where it is of another recording: a person may have
    corrected it, so it is not replaced without being asked for.
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
