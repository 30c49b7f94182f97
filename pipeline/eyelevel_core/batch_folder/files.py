"""Reads JSON files, with errors that name the file, and writes files atomically."""

import os
from pathlib import Path
from typing import Any

from eyelevel_core.contracts import ContractError, parse_json


def read_object(path: Path) -> dict[str, Any]:
    """Returns the JSON object in this file. Raise ContractError where there is none."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise ContractError(f"{path} must contain a JSON object.")
    return value


def read_json(path: Path) -> Any:
    """Returns the JSON value in this file. Raise ContractError where it cannot be read."""
    try:
        return parse_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ContractError(f"{path} cannot be read as JSON: {error}.") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces a file atomically: readers see the old or the new content, also after a crash and on a full disk."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Flushes a file or folder to the disk (fsync), so that it survives a crash of the machine."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
