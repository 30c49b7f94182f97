"""Reads fidelity.json of a batch folder."""

import json
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel_core.comparability.model import Findings


def read_findings(path: Path) -> Findings | None:
    """Return None where the batch has no such file yet. Raise BadInputError where it is not what capture writes."""
    if not path.is_file():
        return None
    try:
        return Findings.of(json.loads(path.read_text()))
    except (ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            f"{path} is not what capture writes ({error}). Run capture again: it writes the file anew."
        ) from error
