"""Eyes measure the film they are shown, both halves apart, and each clip once."""

import shutil
import subprocess
from pathlib import Path

import pytest

from eyelevel.errors import BadInputError
from eyelevel.simulate.command import _speed_index
from eyelevel.simulate.eyes import MeasuringEyes, TimedFrames

needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not on PATH")
pytestmark = needs_ffmpeg


def pair(path: Path, *, left_ms: int, right_ms: int) -> bytes:
    """A second of two white halves, each turning blue at its time."""
    halves = "".join(
        f"drawbox=x={x}:y=0:w=160:h=120:color=blue:t=fill:enable='gte(t,{ms / 1000})',"
        for x, ms in ((0, left_ms), (160, right_ms))
    )
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=white:size=320x120:rate=30:duration=1"]
    command += ["-vf", halves.rstrip(","), "-c:v", "libx264", "-pix_fmt", "yuv420p", str(path)]
    subprocess.run(command, check=True)
    return path.read_bytes()


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return pair(tmp_path_factory.mktemp("clip") / "pair.mp4", left_ms=200, right_ms=700)


def test_both_halves_are_measured_apart(clip: bytes) -> None:
    seen = MeasuringEyes(_speed_index).look(clip, halves=True, start_ms=0)
    assert seen.si_ms == pytest.approx((200, 700), abs=35)
    assert seen.duration_ms == pytest.approx(1000, abs=1)


def test_a_single_film_is_measured_whole(clip: bytes) -> None:
    (si_ms,) = MeasuringEyes(_speed_index).look(clip, halves=False, start_ms=0).si_ms
    assert si_ms is not None
    assert 200 < si_ms < 700


def test_the_still_before_navigation_is_no_loading(clip: bytes) -> None:
    seen = MeasuringEyes(_speed_index).look(clip, halves=True, start_ms=150)
    assert seen.si_ms == pytest.approx((50, 550), abs=35)
    assert seen.duration_ms == pytest.approx(1000, abs=1)


def test_each_clip_is_measured_once_per_way_of_looking(clip: bytes) -> None:
    calls = []

    def counted(frames: TimedFrames) -> float:
        calls.append(len(list(frames)))
        return 1.0

    eyes = MeasuringEyes(counted)
    for _ in range(3):
        eyes.look(clip, halves=False, start_ms=0)
        eyes.look(clip, halves=True, start_ms=0)
    assert calls == [30, 30, 30]


def test_data_that_is_not_a_video_is_refused() -> None:
    with pytest.raises(BadInputError, match="is not a video"):
        MeasuringEyes(_speed_index).look(b"no video", halves=False, start_ms=0)
