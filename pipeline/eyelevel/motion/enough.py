"""Decides when the loads of a probe suffice: when no further load can change the mask. Pure."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from eyelevel_core.model.mask import DILATION_TILES, END_MS, LOADS, LOADS_NEEDED, Tile

# time of a still screen after which no tile counts as moving (tiles.py); it must be more than END_MS
REST_MS = END_MS + 500.0


def came_to_rest(last_change_ms: float, end_ms: float) -> bool:
    """Returns whether no tile moves in a load that ended at `end_ms`."""
    return end_ms - last_change_ms > END_MS


def enough(moved: Sequence[frozenset[Tile]], *, unseen: int = 0) -> bool:
    """Returns whether these loads decide the mask; with further `unseen` loads, whether they may decide it.

    They do once it is known for every tile whether it moves in LOADS_NEEDED of LOADS, or that it is masked as a
    neighbour of a moving tile. Two loads without motion are enough, or four in which the same tiles move.
    """
    left = LOADS - len(moved) - unseen
    counts = Counter(tile for tiles in moved for tile in tiles)
    moves = {tile for tile, count in counts.items() if count + unseen >= LOADS_NEEDED}
    open_ones = {tile for tile, count in counts.items() if count + left >= LOADS_NEEDED} - moves
    return left < LOADS_NEEDED and all(not moves.isdisjoint(_around(tile)) for tile in open_ones)


def _around(tile: Tile) -> set[Tile]:
    """The neighbours of a tile that are masked with it."""
    steps = range(-DILATION_TILES, DILATION_TILES + 1)
    return {(tile[0] + dx, tile[1] + dy) for dx, dy in product(steps, steps)}
