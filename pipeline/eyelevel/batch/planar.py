"""Pictures in the format of clips: planes of Y, U and V, the latter two at half size (yuv420p, BT.709)."""

import numpy as np
from numpy.typing import NDArray

from eyelevel.video import Frame

# ffmpeg's conversion of a film's RGB; `to_planar` is the same conversion for drawings, except for rounding
TO_PLANAR = (
    "scale=in_range=pc:out_range=tv:out_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,"
    "format=pix_fmts=yuv420p"
)
RED, BLUE = 0.2126, 0.0722
# a pixel of U or V stands for so many rows and columns of pixels
THIN = 2


class Picture:
    """One picture; `data` has its planes one after the other. Width, height and all positions are even."""

    def __init__(self, width_px: int, height_px: int, data: NDArray[np.uint8] | None = None) -> None:
        pixels = width_px * height_px
        self.data = np.empty(size_bytes(width_px, height_px), np.uint8) if data is None else data
        thin = (height_px // THIN, width_px // THIN)
        self.planes = (
            self.data[:pixels].reshape(height_px, width_px),
            self.data[pixels : pixels * 5 // 4].reshape(thin),
            self.data[pixels * 5 // 4 :].reshape(thin),
        )

    def put(self, other: "Picture", top: int, left: int) -> None:
        """Copies another picture to this position."""
        for plane, given, step in zip(self.planes, other.planes, (1, THIN, THIN), strict=True):
            height, width = given.shape
            plane[top // step : top // step + height, left // step : left // step + width] = given

    def cut(self, rows: slice, columns: slice) -> "Picture":
        """Returns a copy of a part."""
        part = Picture(columns.stop - columns.start, rows.stop - rows.start)
        for plane, source, step in zip(part.planes, self.planes, (1, THIN, THIN), strict=True):
            plane[:] = source[rows.start // step : rows.stop // step, columns.start // step : columns.stop // step]
        return part


def size_bytes(width_px: int, height_px: int) -> int:
    return width_px * height_px * 3 // 2


def to_planar(frame: Frame) -> Picture:
    """Converts an RGB picture to a clip's colours; a pixel of U and V is the mean of four pixels."""
    height, width, _ = frame.shape
    red, green, blue = (frame[:, :, channel].astype(np.float32) / 255 for channel in range(3))
    grey = RED * red + (1 - RED - BLUE) * green + BLUE * blue
    picture = Picture(width, height)
    picture.planes[0][:] = np.rint(16 + 219 * grey)
    for plane, channel, share in ((picture.planes[1], blue, BLUE), (picture.planes[2], red, RED)):
        far = (channel - grey) / (2 * (1 - share))
        mean = far.reshape(height // THIN, THIN, width // THIN, THIN).mean(axis=(1, 3))
        plane[:] = np.rint(128 + 224 * mean)
    return picture
