"""Files that other stages left, read so that a fault names the file."""

import json
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
