"""What has been made already: a clip's name is its digest, so that a resumed batch must know what it was made of."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from eyelevel.batch.encode import RECIPE
from eyelevel.batch.plan import Plan
from eyelevel_contracts import sha256_of_file, sha256_of_json

NAME = ".clips.json"


def key(plan: Plan, frame_rate: int, ffmpeg: str) -> str:
    """The digest of all that decides a clip's bytes: its takes in order, how it is encoded, and with which version."""
    takes = [take.digest for take in plan.takes]
    return sha256_of_json({"takes": takes, "frame_rate": frame_rate, "recipe": RECIPE, "ffmpeg": ffmpeg})


class Ledger:
    """Clips made, by key, saved after each; a file that is gone or has other bytes counts as not made."""

    def __init__(self, batch_dir: Path) -> None:
        self._path = batch_dir / NAME
        self._clips = batch_dir / "clips"
        self._made: dict[str, dict[str, Any]] = {}
        with suppress(FileNotFoundError, ValueError):  # without it, clips are made again: slower, not wrong
            self._made = json.loads(self._path.read_text())

    def find(self, key: str) -> dict[str, Any] | None:
        made = self._made.get(key)
        if made is None:
            return None
        path = self._clips / f"{made['sha256']}.mp4"
        return made if path.is_file() and sha256_of_file(path) == made["sha256"] else None

    def save(self, key: str, made: dict[str, Any]) -> None:
        self._made[key] = made
        write_atomically(self._path, json.dumps(self._made, sort_keys=True, indent=1).encode())


def write_atomically(path: Path, data: bytes) -> None:
    """Whoever reads sees the old file or the new one, also after a crash."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
