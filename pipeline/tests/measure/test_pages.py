"""Pages within a video are measured in one pass, each as if it were a video of its own."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from eyelevel.measure.metrics import measure
from eyelevel.measure.pages import measure_pages
from eyelevel.video import Frame, Page

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
RATE, HEIGHT_PX, WIDTH_PX = 20, 48, 64
LEFT, RIGHT = (slice(0, 48), slice(0, 30)), (slice(4, 40), slice(34, 64))


def frames(seed: int) -> list[Frame]:
    """A lead-in, then boxes here and there, by much or by little or not at all; the end differs from the beginning."""
    rng = np.random.default_rng(seed)
    shown = [np.full((HEIGHT_PX, WIDTH_PX, 3), 255, np.uint8)] * 6
    for _ in range(40):
        frame = shown[-1].copy()
        if rng.random() < 0.7:
            top, left = rng.integers(0, HEIGHT_PX - 12), rng.integers(0, WIDTH_PX - 12)
            box = frame[top : top + 12, left : left + 12].astype(int) + rng.integers(-12, 13)
            frame[top : top + 12, left : left + 12] = np.clip(box, 0, 255)
        shown.append(frame)
    last = shown[-1].copy()
    last[::2] = (10, 200, 30)
    return [*shown, last]


def lossless(path: Path, shown: list[Frame]) -> Path:
    command = [
        *("ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"),
        *("-video_size", f"{WIDTH_PX}x{HEIGHT_PX}", "-framerate", str(RATE), "-i", "pipe:0"),
        *("-c:v", "libx264rgb", "-preset", "ultrafast", "-crf", "0", str(path)),
    ]
    subprocess.run(command, input=b"".join(frame.tobytes() for frame in shown), check=True)
    return path


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_page_is_measured_as_if_it_were_alone_with_every_tolerance(tmp_path: Path, seed: int) -> None:
    shown = frames(seed)
    pages = [Page(*LEFT, start_ms=100), Page(*RIGHT, start_ms=250)]
    found = measure_pages(lossless(tmp_path / "two.mkv", shown), pages, (0, 4, 16))
    for tolerance, measured in zip((0, 4, 16), found, strict=True):
        for page, metrics in zip(pages, measured, strict=True):
            alone = [(k * 1000 / RATE - page.start_ms, frame[page.rows, page.columns]) for k, frame in enumerate(shown)]
            assert metrics == measure(alone, tolerance=tolerance).as_json(), (tolerance, page)


def test_frames_after_a_pages_end_do_not_count(tmp_path: Path) -> None:
    shown = frames(4)
    times_ms = [float(10 * k - 5) for k in range(len(shown))]
    [[metrics]] = measure_pages(lossless(tmp_path / "one.mkv", shown), [Page(*LEFT, until_ms=200)], [0], times_ms)
    until = [(ms, frame[LEFT]) for ms, frame in zip(times_ms, shown, strict=True) if ms <= 200]
    assert metrics == measure(until, tolerance=0).as_json()
