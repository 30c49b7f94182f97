"""The takes of a batch folder, as far as a contact sheet needs them, by scene and setting."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_core.contracts import check


@dataclass(frozen=True)
class Take:
    """`times_ms` has one entry per stored frame of the film, since navigation start."""

    folder: Path
    value: Mapping[str, Any]
    times_ms: tuple[float, ...]

    @property
    def scene(self) -> tuple[str, str, str]:
        return self.value["site"], self.value["network"]["name"], self.value["cache"]

    @property
    def stack(self) -> str:
        return str(self.value["stack"]["name"])

    @property
    def film(self) -> Path:
        return self.folder / str(self.value["film"]["path"])


Setting = tuple[str, list[Take]]


def read_scenes(batch: Path) -> list[tuple[tuple[str, str, str], list[Setting]]]:
    """Scenes with their settings with their takes, each sorted by name and run. BadInputError where there are none."""
    takes = [_read(path) for path in sorted(batch.glob("takes/*/*/*/*/take.json"))]
    if not takes:
        raise BadInputError(f"{batch} holds no takes; give the folder that eyelevel capture wrote to.")
    takes.sort(key=lambda take: (take.scene, take.stack, take.value["run"]))
    return [
        (scene, [(stack, list(runs)) for stack, runs in groupby(group, key=lambda take: take.stack)])
        for scene, group in groupby(takes, key=lambda take: take.scene)
    ]


def _read(path: Path) -> Take:
    try:
        value = json.loads(path.read_text())
        times = json.loads((path.parent / "frames.json").read_text())["times_ms"]
    except (OSError, ValueError, KeyError) as error:
        raise BadInputError(f"{path.parent} is not a whole take: {error}.") from error
    check(value, "take.1", source=str(path))
    return Take(path.parent, value, tuple(map(float, times)))
