"""Structural similarity of two pictures (SSIM). Pure.

Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli: Image quality assessment: from error visibility to structural
similarity. IEEE Transactions on Image Processing 13(4), 2004. Its constants: Gaussian window of 11 x 11 pixels with a
standard deviation of 1.5, K1 = 0.01, K2 = 0.03, L = 255. The mean is over pixels whose window lies within the picture.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

SIGMA = 1.5
RADIUS = 5
C1 = (0.01 * 255) ** 2
C2 = (0.03 * 255) ** 2
# luminance of red, green and blue (ITU-R BT.601)
LUMA = np.array([0.299, 0.587, 0.114])

Picture = NDArray[np.uint8]
Plane = NDArray[np.float64]


def ssim_map(one: Picture, other: Picture) -> Plane:
    """Returns the index at each pixel, -1 to 1, for pictures of height x width x 3 (red, green, blue; 0 to 255).

    Raise ValueError where the pictures differ in size.
    """
    if one.shape != other.shape:
        raise ValueError(f"pictures of {one.shape[1::-1]} and {other.shape[1::-1]} pixels cannot be compared")
    x, y = one.astype(np.float64) @ LUMA, other.astype(np.float64) @ LUMA
    mean_x, mean_y = _mean(x), _mean(y)
    variance_x = _mean(x * x) - mean_x * mean_x
    variance_y = _mean(y * y) - mean_y * mean_y
    covariance = _mean(x * y) - mean_x * mean_y
    above = (2 * mean_x * mean_y + C1) * (2 * covariance + C2)
    index: Plane = above / ((mean_x * mean_x + mean_y * mean_y + C1) * (variance_x + variance_y + C2))
    return index


def similarity(one: Picture, other: Picture, ignored: NDArray[np.bool_] | None = None) -> float | None:
    """Returns the mean index over the pixels that are not `ignored` (height x width); None if no pixel is left."""
    counted = np.zeros(one.shape[:2], dtype=bool)
    counted[RADIUS:-RADIUS, RADIUS:-RADIUS] = True
    if ignored is not None:
        counted &= ~ignored
    return float(ssim_map(one, other)[counted].mean()) if counted.any() else None


def _mean(plane: Plane) -> Plane:
    means: Plane = gaussian_filter(plane, SIGMA, radius=RADIUS)
    return means
