"""SSIM agrees with scikit-image 0.26.0, whose values make_ssim_vectors.py prints."""

import numpy as np
import pytest

from eyelevel_core.comparability.ssim import similarity, ssim_map

REFERENCE = {"dimmed": 0.9514118991025002, "boxed": 0.8311725993687168, "unlike": 0.023207868273915317}


def pictures() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    random = np.random.default_rng(20040401)
    noise = random.integers(0, 256, (48, 64, 3), dtype=np.uint8)
    rows, columns = np.mgrid[:48, :64]
    gradient = np.stack([rows * 5, columns * 4, (rows + columns) * 2], axis=2).astype(np.uint8)
    boxed = gradient.copy()
    boxed[10:30, 20:50] = 128
    return {"dimmed": (noise, (noise * 0.8).astype(np.uint8)), "boxed": (gradient, boxed), "unlike": (noise, gradient)}


@pytest.mark.parametrize("name", REFERENCE)
def test_the_mean_index_is_that_of_scikit_image(name: str) -> None:
    assert similarity(*pictures()[name]) == pytest.approx(REFERENCE[name], abs=1e-9)


def test_equal_pictures_have_index_one_everywhere() -> None:
    picture, _ = pictures()["boxed"]
    assert np.allclose(ssim_map(picture, picture), 1.0, atol=1e-12)


def test_pixels_that_are_ignored_do_not_count() -> None:
    one, other = pictures()["boxed"]
    ignored = np.zeros((48, 64), dtype=bool)
    ignored[5:35, 15:55] = True  # the box, and as far as a window reaches from it
    assert similarity(one, other, ignored) == pytest.approx(1.0, abs=1e-12)
    assert similarity(one, other, np.ones((48, 64), dtype=bool)) is None


def test_pictures_of_two_sizes_are_refused() -> None:
    one, other = pictures()["boxed"]
    with pytest.raises(ValueError, match=r"pictures of \(64, 48\) and \(64, 47\) pixels cannot be compared"):
        ssim_map(one, other[1:])
