"""Reads and writes the files of replay checks."""

import json
from pathlib import Path

from eyelevel_core.batch_folder.files import read_object, write_atomically
from eyelevel_core.contracts import check
from eyelevel_core.model.replay_check import ReplayCheck

CONTRACT = "replay-check.1"


def read_check(path: Path) -> ReplayCheck:
    """Returns the replay check in this file. Raise ContractError where it cannot be read or breaks its contract."""
    value = read_object(path)
    check(value, CONTRACT, source=str(path))
    return ReplayCheck.of(value)


def write_check(replay_check: ReplayCheck, path: Path) -> None:
    value = replay_check.as_json()
    check(value, CONTRACT, source=str(path))
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
