"""Colour histograms of frames and their visual completeness, as in Browsertime."""

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eyelevel.video import Frame

# A pixel with all three channels at least this is white: background, not content.
NEAR_WHITE = 250

# 3 x 256 counts: red, green, blue
Histogram = NDArray[np.int64]
Planes = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]


def histogram(frame: Frame) -> Histogram:
    """Returns the counts of each channel's values over all pixels that are not near-white.

    The frame is height x width x 3, the result 3 x 256. Source: `calculate_image_histogram` of sitespeedio/browsertime,
    visualmetrics/visualmetrics-portable.py: a pixel counts if red, green or blue is below 250.
    """
    return histogram_of_planes((frame[:, :, 0], frame[:, :, 1], frame[:, :, 2]))


def histogram_of_planes(planes: Planes, inside: NDArray[np.bool_] | None = None) -> Histogram:
    """Returns the same for red, green and blue, each height x width; with `inside`, only for these pixels."""
    red, green, blue = (np.ascontiguousarray(plane) for plane in planes)
    content = np.minimum(np.minimum(red, green), blue) < NEAR_WHITE
    if inside is not None:
        content &= inside
    # Pillow counts ten times quicker than numpy
    picture = Image.merge("RGB", [Image.fromarray(plane) for plane in (red, green, blue)])
    counts = picture.histogram(Image.fromarray(content.view(np.uint8)))
    return np.array(counts, np.int64).reshape(3, 256)


def completeness_percent(current: Histogram, first: Histogram, last: Histogram) -> int:
    """Returns the progress of `current` from `first` to `last`: whole percent, rounded down.

    Per channel and value, the change since the first frame counts up to the total change to the last frame. If nothing
    changes in total, a frame is complete. Source: `calculate_frame_progress` in the same file, with its arithmetic in
    doubles, so that both programs agree on every percent.
    """
    to_change = np.abs(last - first)
    total = int(to_change.sum())
    matched = int(np.minimum(np.abs(current - first), to_change).sum())
    return math.floor((matched / total if total else 1.0) * 100)
