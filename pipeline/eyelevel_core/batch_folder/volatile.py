"""Files of volatile parameters: beside a recording, and under their digest in a batch folder."""

import json
from pathlib import Path

from eyelevel_core.batch_folder.files import read_object, write_atomically
from eyelevel_core.batch_folder.masks import stem_of
from eyelevel_core.contracts import check
from eyelevel_core.model.volatile import Volatile

CONTRACT = "volatile.1"


def volatile_name(recording: Path) -> str:
    """The name of a recording's file of volatile parameters, beside it: qq.volatile.json for qq.warc.gz."""
    return f"{stem_of(recording)}.volatile.json"


def read_volatile(path: Path) -> Volatile:
    """Raise ContractError where the file cannot be read or does not keep the contract."""
    value = read_object(path)
    check(value, CONTRACT, source=str(path))
    return Volatile.of(value)


def volatile_bytes(found: Volatile) -> bytes:
    """The content of the file."""
    value = found.as_json()
    check(value, CONTRACT, source="the volatile parameters learned")
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def write_volatile(found: Volatile, path: Path) -> None:
    write_atomically(path, volatile_bytes(found))
