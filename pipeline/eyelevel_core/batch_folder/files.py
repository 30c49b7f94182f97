"""JSON files: read with an error that names the file, written whole or not at all."""

import os
from pathlib import Path
from typing import Any

from eyelevel_core.contracts import ContractError, parse_json


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in this file. Raise ContractError where there is none."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise ContractError(f"{path} must hold a JSON object.")
    return value


def read_json(path: Path) -> Any:
    """The JSON value in this file. Raise ContractError where it cannot be read."""
    try:
        return parse_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ContractError(f"{path} cannot be read as JSON: {error}.") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file: readers see the old content or the new one, also after a crash and on a full disk."""
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
    """Have the kernel write a file or folder to the disk, so that it survives a crash of the machine."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
