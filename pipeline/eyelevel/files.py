"""Reads JSON files of other stages with errors that name the file, and writes files atomically."""

import json
import os
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in this file. Raise BadInputError where there is none."""
    try:
        value = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(value, dict):
        raise BadInputError(f"{path} must hold a JSON object.")
    return value


def write_atomically(path: Path, data: bytes) -> None:
    """Whoever reads sees the old file or the new one, also after a crash and on a full disk."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
