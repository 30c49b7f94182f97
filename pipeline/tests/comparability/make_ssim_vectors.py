"""Prints the reference values of test_ssim.py: scikit-image's structural_similarity on the same pictures.

scikit-image is not among the project's dependencies. Run it in an environment of its own:
python -m venv ENV && ENV/bin/pip install scikit-image==0.26.0 && ENV/bin/python make_ssim_vectors.py
"""

import sys

import numpy as np
from numpy.typing import NDArray
from skimage.metrics import structural_similarity  # type: ignore[import-not-found]  # see above

LUMA = np.array([0.299, 0.587, 0.114])


def pictures() -> dict[str, tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Pairs of pictures of 48 x 64 pixels: noise, a gradient, and a gradient with a grey box."""
    random = np.random.default_rng(20040401)
    noise = random.integers(0, 256, (48, 64, 3), dtype=np.uint8)
    rows, columns = np.mgrid[:48, :64]
    gradient = np.stack([rows * 5, columns * 4, (rows + columns) * 2], axis=2).astype(np.uint8)
    boxed = gradient.copy()
    boxed[10:30, 20:50] = 128
    dimmed = (noise * 0.8).astype(np.uint8)
    return {"dimmed": (noise, dimmed), "boxed": (gradient, boxed), "unlike": (noise, gradient)}


if __name__ == "__main__":
    for name, (one, other) in pictures().items():
        value = structural_similarity(
            one @ LUMA, other @ LUMA, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False
        )
        sys.stdout.write(f"{name}: {value!r}\n")
