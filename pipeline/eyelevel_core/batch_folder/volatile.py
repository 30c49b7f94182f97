"""Reads and writes the files of volatile parameters: beside a recording, and under their digest in a batch folder."""

import json
from pathlib import Path

from eyelevel_core.batch_folder.files import read_object, write_atomically
from eyelevel_core.batch_folder.masks import stem_of
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.volatile import Volatile

CONTRACT = "volatile.1"


def volatile_name(recording: Path) -> str:
    """The name of a recording's file of volatile parameters, beside it: qq.volatile.json for qq.warc.gz."""
    return f"{stem_of(recording)}.volatile.json"


def read_volatile(path: Path) -> Volatile:
    """Returns the volatile parameters in this file.

    Raise ContractError where it cannot be read, breaks its contract, or lists a callback that is not a parameter.
    """
    value = read_object(path)
    check(value, CONTRACT, source=str(path))
    volatile = Volatile.of(value)
    listed = {(parameter.host, parameter.path, parameter.parameter) for parameter in volatile.parameters}
    for callback in volatile.callbacks:
        if (callback.host, callback.path, callback.parameter) not in listed:
            raise ContractError(
                f"{path}: callbacks lists {callback.parameter} of {callback.host}{callback.path}, which is not in "
                "parameters; remove it from callbacks, or add it to parameters."
            )
    return volatile


def volatile_bytes(volatile: Volatile) -> bytes:
    """Returns the content of the file."""
    value = volatile.as_json()
    check(value, CONTRACT, source="the learned volatile parameters")
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def write_volatile(volatile: Volatile, path: Path) -> None:
    write_atomically(path, volatile_bytes(volatile))
