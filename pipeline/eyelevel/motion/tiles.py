"""Finds the tiles that change between frames, and those that never stop changing."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from eyelevel.video import Frame
from eyelevel_core.model.mask import (
    CHANGES_NEEDED,
    END_GAPS,
    END_LEAST_MS,
    END_MS,
    SPAN_MS,
    THRESHOLD,
    TILE_PX,
    Tile,
)

# rows x columns of tiles
Tiles = NDArray[np.bool_]
Change = tuple[float, Tiles]


def tiles_of(pixels: NDArray[np.bool_], tile_px: int = TILE_PX) -> Tiles:
    """Returns the tiles in which any pixel is set; `pixels` is height x width, and the last tiles may be smaller."""
    height, width = pixels.shape
    rows = np.logical_or.reduceat(pixels, np.arange(0, height, tile_px), axis=0)
    return np.logical_or.reduceat(rows, np.arange(0, width, tile_px), axis=1)


def pixels_of(tiles: Iterable[Tile], shape: tuple[int, int], tile_px: int = TILE_PX) -> NDArray[np.bool_]:
    """Returns the pixels that tiles cover in a picture of height x width."""
    covered = np.zeros(shape, np.bool_)
    for x, y in tiles:
        covered[y * tile_px : (y + 1) * tile_px, x * tile_px : (x + 1) * tile_px] = True
    return covered


def differing(before: Frame, after: Frame, threshold: int) -> NDArray[np.bool_]:
    """Returns the pixels in which a channel differs by more than `threshold`; height x width."""
    differs = np.zeros(before.shape[:2], np.bool_)
    for channel in range(3):
        one, other = before[:, :, channel], after[:, :, channel]
        differs |= (np.maximum(one, other) - np.minimum(one, other)) > threshold
    return differs


def changes(
    frames: Iterable[tuple[float, Frame]], *, threshold: int = THRESHOLD, tile_px: int = TILE_PX
) -> Iterator[Change]:
    """Yields the time of each frame with the tiles that changed, without frames in which none did.

    A tile is compared with its state after its last change, so that slow drift is detected.
    """
    reference: Frame | None = None
    for ms, frame in frames:
        if reference is None:
            reference = frame.copy()
            continue
        tiles = tiles_of(differing(reference, frame, threshold), tile_px)
        if tiles.any():
            covered = np.repeat(np.repeat(tiles, tile_px, axis=0), tile_px, axis=1)[: frame.shape[0], : frame.shape[1]]
            reference[covered] = frame[covered]
            yield ms, tiles


def moving(changed: Iterable[Change], *, from_ms: float, end_ms: float) -> frozenset[Tile]:
    """Returns the tiles that move between these times: they change often, for long, and have not stopped.

    A moving tile has at least CHANGES_NEEDED changes, the first and the last at least SPAN_MS apart. It has not stopped
    if the time since its last change is at most END_MS, and at most END_GAPS times the longest time between two changes
    (at least END_LEAST_MS): a feed with an item each second for 20 s has stopped a second and a half later.
    """
    count = first = last = gap = None
    for ms, tiles in changed:
        if not from_ms <= ms <= end_ms:
            continue
        if count is None or first is None or last is None or gap is None:
            count, first, last = np.zeros(tiles.shape, int), np.full(tiles.shape, np.inf), np.full(tiles.shape, -np.inf)
            gap = np.zeros(tiles.shape)
        again = tiles & (count > 0)
        gap[again] = np.maximum(gap[again], ms - last[again])
        count += tiles
        first[tiles] = np.minimum(first[tiles], ms)
        last[tiles] = ms
    if count is None or first is None or last is None or gap is None:
        return frozenset()
    silence = end_ms - last
    goes_on = (silence <= END_MS) & (silence <= np.maximum(END_LEAST_MS, END_GAPS * gap))
    moves = (count >= CHANGES_NEEDED) & goes_on
    moves[moves] = (last[moves] - first[moves]) >= SPAN_MS
    return as_set(moves)


def as_set(tiles: Tiles) -> frozenset[Tile]:
    """Returns the tiles as a set of (x, y)."""
    return frozenset((int(x), int(y)) for y, x in np.argwhere(tiles))
