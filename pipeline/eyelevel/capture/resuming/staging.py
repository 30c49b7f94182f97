"""Staging of blocks of a paired campaign: their takes stay in BATCH/.blocks until all exist, and are then moved.

A block's folder without the file COMPLETE is the rest of a killed command, and is deleted. If it has the file, moving
its takes is continued. So either all takes of a block are in the batch, or none.
"""

import json
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.files import to_disk
from eyelevel_core.model.run import Run

COMPLETE = "complete.json"


def place(batch: BatchFolder, run: Run) -> Path:
    return _folder(batch, run) / run.stack


def commit(batch: BatchFolder, block: Iterable[Run]) -> None:
    """Marks the staged block as complete, then moves its takes to their places."""
    runs = list(block)
    folder = _folder(batch, runs[0])
    moves = {run.stack: run.path for run in runs}
    part = folder / f"{COMPLETE}.part"
    part.write_text(json.dumps(moves))
    to_disk(part)
    part.rename(folder / COMPLETE)
    to_disk(folder)
    _move(batch, folder)


def drop(batch: BatchFolder, run: Run) -> None:
    _remove(_folder(batch, run))


def recover(batch: BatchFolder) -> None:
    """Moves complete blocks of a killed command to their places, and deletes the others."""
    for folder in sorted(batch.blocks.glob("*")):
        if (folder / COMPLETE).is_file():
            _move(batch, folder)
        else:
            _remove(folder)


def _move(batch: BatchFolder, folder: Path) -> None:
    for stack, path in json.loads((folder / COMPLETE).read_text()).items():
        if (folder / stack).is_dir():
            (batch.root / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / stack).rename(batch.root / path)
            to_disk((batch.root / path).parent)
    _remove(folder)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # it has other blocks, or does not exist
        folder.parent.rmdir()


def _folder(batch: BatchFolder, run: Run) -> Path:
    return batch.blocks / run.block.replace("/", "~")
