"""A stimulus as allocation and session plans see it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from eyelevel_core.assignment.clip import Chosen


@dataclass(frozen=True)
class Cell:
    """A stimulus, by its number or database id; `block` is the number of its block, from 0.

    `setting` is the key by which a participant sees a stimulus at most once. `films` is common to the two orders of a
    pair in a context; `stacks` are left, then right for a pair. `role` is main, identical, control or training.
    """

    stimulus: int
    block: int
    context: str
    setting: Hashable
    films: Hashable
    stacks: tuple[str, ...]
    clip: Hashable
    role: str = "main"


def cell_of(stimulus: int, chosen: Chosen) -> Cell:
    """The cell of a chosen clip; `stimulus` is its number or database id."""
    clip = chosen.clip
    films = (chosen.context, tuple(sorted(clip.takes)))
    return Cell(stimulus, chosen.block, chosen.context, clip.setting, films, clip.stacks, clip.sha256, chosen.role)


def main_cells(cells: Sequence[Cell], block: int) -> list[Cell]:
    """The cells of a block whose votes answer its question."""
    return [cell for cell in cells if cell.block == block and cell.role == "main"]


def training_cells(cells: Sequence[Cell], block: int, context: str) -> list[Cell]:
    """The cells that a participant practises a block with, in their frozen order, where this context comes first."""
    return [cell for cell in cells if (cell.block, cell.role, cell.context) == (block, "training", context)]
