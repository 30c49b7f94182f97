"""The takes of a batch folder, by scene and stack."""

from itertools import groupby
from pathlib import Path

from eyelevel_core.batch_folder import BatchFolder, FilmedTake
from eyelevel_core.batch_folder.takes import filmed

# site, network, cache
Scene = tuple[str, str, str]
# a stack with its takes, by run
Row = tuple[str, list[FilmedTake]]


def read_scenes(batch: Path) -> list[tuple[Scene, list[Row]]]:
    """Scenes with their stacks and these with their takes, sorted by name and run. ContractError where there are none.

    Files beside take.json and frames.json are not checked.
    """
    takes = [filmed(take) for take in BatchFolder(batch).takes()]
    takes.sort(key=lambda take: (_scene(take), take.stack, take.run))
    return [
        (scene, [(stack, list(runs)) for stack, runs in groupby(group, key=lambda take: take.stack)])
        for scene, group in groupby(takes, key=_scene)
    ]


def _scene(take: FilmedTake) -> Scene:
    return take.site, take.network, take.cache
