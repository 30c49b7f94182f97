"""The regions of a mask in a picture: their pixels, and the entropy of their luminance."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eyelevel.motion.tiles import pixels_of
from eyelevel.video import Frame
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask, Tile, box_of, connected


@dataclass(frozen=True)
class Area:
    """The pixels of a region: `rows` and `columns` of its box, and `inside`, the pixels of the box that are in it."""

    rows: slice
    columns: slice
    inside: NDArray[np.bool_]

    @cached_property
    def stencil(self) -> Image.Image:
        """Returns `inside` as a Pillow image."""
        return Image.fromarray(self.inside.astype(np.uint8) * 255)

    def cut(self, frame: Frame) -> Frame:
        """Returns the box of the region from a frame."""
        return frame[self.rows, self.columns]

    def luminance_entropy(self, box: Frame) -> float:
        """Returns the entropy in bits over the region's pixels of its box; luminance by ITU-R 601, as in Pillow."""
        luminance = Image.fromarray(np.ascontiguousarray(box)).convert("L")
        return entropy_bits(luminance.histogram(self.stencil))


def area(tiles: frozenset[Tile], viewport: Viewport, tile_px: int) -> Area:
    """Returns the pixels of tiles in a viewport."""
    left, top, width, height = box_of(tiles, viewport, tile_px)
    covered = pixels_of(tiles, (viewport.height_px, viewport.width_px), tile_px)
    rows, columns = slice(top, top + height), slice(left, left + width)
    return Area(rows, columns, covered[rows, columns])


def areas(mask: Mask) -> list[Area]:
    """Returns an area per region, in the mask's order."""
    return [area(tiles, mask.viewport, mask.tile_px) for tiles in connected(mask.tiles)]


def entropy_bits(counts: Sequence[int]) -> float:
    """Returns Shannon's entropy of a distribution given by counts."""
    positive = np.asarray(counts, float)
    positive = positive[positive > 0]
    shares = positive / positive.sum() if len(positive) else positive
    return float(-(shares * np.log2(shares)).sum()) + 0.0
