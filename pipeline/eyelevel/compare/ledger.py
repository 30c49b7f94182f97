"""The ledger of attempts that capture keeps beside the takes."""

import json
from pathlib import Path
from typing import Any

from eyelevel.compare.model import Attempt
from eyelevel.errors import BadInputError


def read_attempts(path: Path) -> list[Attempt] | None:
    """One entry per attempt, None where there is no ledger. A last line that a crash tore does not count."""
    if not path.is_file():
        return None
    lines = path.read_text().split("\n")
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(_attempt(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if number == len(lines) or _torn(line):
                continue
            raise BadInputError(f"{path}, line {number} is not an attempt ({error}); repair or remove it.") from error
    return found


def cache_of(folder: str) -> str:
    """What a run's folder says of its cache: run-01 is a first visit, warm-01 a second one."""
    return "warm" if folder.startswith("warm-") else "cold"


def _torn(line: str) -> bool:
    """Capture ends a torn line when it goes on, so that one may stand anywhere."""
    return not line.rstrip().endswith("}")


def _attempt(value: dict[str, Any]) -> Attempt:
    _, site, network, stack, run = value["run"].split("/")
    return Attempt(
        site=site,
        network=network,
        stack=stack,
        cache=cache_of(run),
        void=value["outcome"] == "void",
        cause=value.get("cause"),
    )
