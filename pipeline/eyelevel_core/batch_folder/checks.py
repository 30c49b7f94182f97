"""Replay checks as files."""

import json
from pathlib import Path

from eyelevel_core.batch_folder.files import read_object, write_atomically
from eyelevel_core.contracts import check
from eyelevel_core.model.replay_check import ReplayCheck

CONTRACT = "replay-check.1"


def read_check(path: Path) -> ReplayCheck:
    """Raise ContractError where the file cannot be read or does not keep the contract."""
    value = read_object(path)
    check(value, CONTRACT, source=str(path))
    return ReplayCheck.of(value)


def write_check(made: ReplayCheck, path: Path) -> None:
    value = made.as_json()
    check(value, CONTRACT, source=str(path))
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
