"""Files of volatile parameters: beside a recording, and under their digest in a batch folder."""

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
    """Raise ContractError where the file cannot be read, does not keep the contract, or has a stray callback."""
    value = read_object(path)
    check(value, CONTRACT, source=str(path))
    found = Volatile.of(value)
    listed = {(one.host, one.path, one.parameter) for one in found.parameters}
    for one in found.callbacks:
        if (one.host, one.path, one.parameter) not in listed:
            raise ContractError(
                f"{path}: callbacks lists {one.parameter} of {one.host}{one.path}, which is not among parameters; "
                "remove it there, too, or put it back."
            )
    return found


def volatile_bytes(found: Volatile) -> bytes:
    """The content of the file."""
    value = found.as_json()
    check(value, CONTRACT, source="the volatile parameters learned")
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def write_volatile(found: Volatile, path: Path) -> None:
    write_atomically(path, volatile_bytes(found))
