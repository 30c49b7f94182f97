"""Metrics of stored films with motion painted in equal those of the films without it."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from eyelevel.errors import BadInputError
from eyelevel.measure.film import measure_film, measure_video
from eyelevel.measure.metrics import Metrics
from eyelevel.video import Frame
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import RULES, Mask, Region, box_of, connected, drawn, grid
from eyelevel_core.model.metrics import VISUAL_FIELDS

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")

VIEWPORT = Viewport(320, 180)
FRAME_MS, END_MS = 50.0, 10_000.0
# where the motion is, in tiles: a third of the page
TILES = frozenset((x, y) for x in range(2, 18) for y in range(2, 6))
LEFT, TOP, WIDTH, HEIGHT = box_of(TILES, VIEWPORT)
FIRST_SLIDE_MS = 900.0

Film = Mapping[float, Frame]
# (ms since the first slide appeared, that slide) -> what the region shows then
Motion = Callable[[float, Frame], Frame]


def mask(*, low_ms: float = 0.0, entropy_bits: float = 5.0, tiles: frozenset[tuple[int, int]] = TILES) -> Mask:
    groups = connected(tiles)
    return Mask(
        recording="ab" * 32,
        start_url="https://garden.example/",
        start_url_given=False,
        viewport=VIEWPORT,
        tile_px=16,
        threshold=8,
        rules=RULES,
        loads=(),
        rows=drawn(tiles, grid(VIEWPORT)),
        regions=tuple(Region(len(group), box_of(group, VIEWPORT), entropy_bits, low_ms) for group in groups),
        not_painting=(),
        timed=(),
        masked_share=0.3,
        animated=False,
    )


def slide(number: int) -> Frame:
    """A picture of many colours, as a photograph has."""
    random = np.random.default_rng(number)
    coarse = random.integers(0, 240, (HEIGHT // 8, WIDTH // 8, 3), dtype=np.uint8)
    return np.repeat(np.repeat(coarse, 8, axis=0), 8, axis=1)


def page() -> Film:
    """A load: heading, text, a grey box for the first slide, the first slide, a late picture at 1.7 s."""
    picture = np.full((VIEWPORT.height_px, VIEWPORT.width_px, 3), 255, np.uint8)
    film = {-200.0: picture.copy()}
    picture[:20] = (30, 60, 90)
    film[250.0] = picture.copy()
    picture[TOP : TOP + HEIGHT, LEFT : LEFT + WIDTH] = 225
    film[400.0] = picture.copy()
    for line in range(108, 140, 6):
        picture[line : line + 2, 8:200] = 40
        film[400.0 + 2.5 * line] = picture.copy()
    picture[TOP : TOP + HEIGHT, LEFT : LEFT + WIDTH] = slide(1)
    film[FIRST_SLIDE_MS] = picture.copy()
    picture[145:175, 210:300] = np.random.default_rng(7).integers(0, 240, (30, 90, 3))
    film[1_700.0] = picture.copy()
    return film


def with_motion(still: Film, motion: Motion) -> Film:
    """The film, with the region moving at each frame from its first slide on, while the rest goes on loading."""
    times = [FIRST_SLIDE_MS + n * FRAME_MS for n in range(1, int((END_MS - FIRST_SLIDE_MS) / FRAME_MS))]
    film = dict(still)
    for ms in sorted({*times, *(ms for ms in still if ms > FIRST_SLIDE_MS)}):
        below = still[max(known for known in still if known <= ms)].copy()
        below[TOP : TOP + HEIGHT, LEFT : LEFT + WIDTH] = motion(ms - FIRST_SLIDE_MS, slide(1))
        film[ms] = below
    return {
        ms: frame
        for (_, before), (ms, frame) in pairwise([(-1e9, frame_of_another_size()), *sorted(film.items())])
        if before.shape != frame.shape or not np.array_equal(before, frame)
    }


def frame_of_another_size() -> Frame:
    return np.zeros((1, 1, 3), np.uint8)


def carousel(ms: float, first: Frame) -> Frame:
    """Another slide every 3 s, two of which are darker and one of a single colour."""
    number = int(ms // 3_000)
    return [first, slide(2) // 3, np.full_like(first, 250), slide(3)][number % 4]


def sliding(ms: float, first: Frame) -> Frame:
    """Slides that push each other to the left for half a second, every 2 s."""
    number, within = divmod(ms, 2_000)
    current, coming = (first if n % 3 == 0 else slide(int(n % 3) + 1) for n in (number, number + 1))
    moved = int(WIDTH * max(0.0, within - 1_500) / 500)
    return np.concatenate([current, coming], axis=1)[:, moved : moved + WIDTH]


def fading(ms: float, first: Frame) -> Frame:
    """Slides with 400 ms of white between them."""
    number, within = divmod(ms, 2_500)
    if within > 2_100:
        return np.full_like(first, 255)
    return first if number % 2 == 0 else slide(2)


def spinning(ms: float, first: Frame) -> Frame:
    """An animation that changes at each frame, and is darkest in the end of each second."""
    turned: Frame = np.roll(first, int(ms / FRAME_MS) * 3, axis=1) // (1 + int(ms % 1_000 / 250))
    return turned


def stored(path: Path, film: Film) -> tuple[Path, list[float]]:
    """A lossless film, and its times."""
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size"]
    command += [f"{VIEWPORT.width_px}x{VIEWPORT.height_px}", "-i", "pipe:0", "-c:v", "libx264rgb", "-crf", "0"]
    data = b"".join(frame.tobytes() for _, frame in sorted(film.items()))
    subprocess.run([*command, "-preset", "ultrafast", str(path)], input=data, check=True)
    return path, sorted(film)


def measured(path: Path, film: Film, moving: Mask | None) -> Metrics:
    return measure_film(*stored(path, film), moving, end_ms=END_MS)


def values(metrics: Metrics) -> Sequence[float | None]:
    return [getattr(metrics, name) for name in VISUAL_FIELDS]


@pytest.mark.parametrize(("motion", "low_ms"), [(carousel, 3_000.0), (sliding, 0.0), (fading, 400.0), (spinning, 0.0)])
def test_metrics_of_a_film_with_motion_are_those_of_the_film_without(
    tmp_path: Path, motion: Motion, low_ms: float
) -> None:
    still = measured(tmp_path / "still.mkv", page(), None)
    moving = measured(tmp_path / "moving.mkv", with_motion(page(), motion), mask(low_ms=low_ms))
    assert moving.appeared_ms == (FIRST_SLIDE_MS,)
    assert moving.progress == still.progress
    assert values(moving) == values(still)
    assert moving.lvc_ms == 1_700
    # and without the mask the last slide decides
    assert moving.plain is not None
    assert (moving.plain.lvc_ms or 0) > 7_000
    assert (moving.plain.si_ms or 0) > 1.5 * (still.si_ms or 0)


def test_of_a_film_without_motion_the_mask_changes_nothing(tmp_path: Path) -> None:
    plain = measured(tmp_path / "plain.mkv", page(), None)
    frozen = measured(tmp_path / "frozen.mkv", page(), mask())
    assert values(frozen) == values(plain)
    assert frozen.plain is not None
    assert frozen.plain.progress == plain.progress == frozen.progress


def test_a_mask_without_regions_freezes_nothing(tmp_path: Path) -> None:
    film = with_motion(page(), carousel)
    found = measured(tmp_path / "film.mkv", film, mask(tiles=frozenset()))
    assert (found.appeared_ms, values(found)) == ((), values(measured(tmp_path / "plain.mkv", film, None)))


def test_a_region_that_never_appears_is_told_and_not_frozen(tmp_path: Path) -> None:
    film = {ms: frame for ms, frame in page().items() if ms < FIRST_SLIDE_MS}
    found = measured(tmp_path / "film.mkv", film, mask())
    assert found.appeared_ms == (None,)
    assert found.as_json()["appeared_ms"] == [None]
    assert found.plain is not None
    assert values(found) == values(found.plain)


def test_the_first_appearance_of_a_region_counts_as_loading(tmp_path: Path) -> None:
    """A slow arm shows the first slide later: that is in every metric, though all that follows is frozen."""
    late = {ms if ms != FIRST_SLIDE_MS else 5_000.0: frame for ms, frame in page().items()}
    late[1_700.0] = late[1_700.0].copy()
    late[1_700.0][TOP : TOP + HEIGHT, LEFT : LEFT + WIDTH] = 225
    late[5_000.0] = page()[1_700.0]
    quick, slow = (measured(tmp_path / f"{len(film)}-{max(film)}.mkv", film, mask()) for film in (page(), late))
    assert (quick.lvc_ms, slow.lvc_ms) == (1_700, 5_000)
    assert (slow.si_ms or 0) > 2 * (quick.si_ms or 0)


def test_two_regions_are_frozen_apart(tmp_path: Path) -> None:
    """The right half shows its first slide a second after the left one."""
    left, right = (
        frozenset((x, y) for x, y in TILES if (x <= 8) == is_left and x not in {8, 9}) for is_left in (True, False)
    )
    film = dict(page())
    both = sorted(film)[-1]
    for n in range(1, 6):
        film[both + 1_000.0 * n] = film[both].copy()
        film[both + 1_000.0 * n][TOP : TOP + HEIGHT, LEFT : LEFT + WIDTH] = slide(n + 1)
    for ms in (FIRST_SLIDE_MS, 1_700.0):
        film[ms] = film[ms].copy()
        film[ms][TOP : TOP + HEIGHT, 160 : LEFT + WIDTH] = 225
    found = measured(tmp_path / "film.mkv", film, mask(tiles=left | right))
    assert found.appeared_ms == (FIRST_SLIDE_MS, 2_700.0)


def test_a_mask_of_another_viewport_is_refused(tmp_path: Path) -> None:
    path, _ = stored(tmp_path / "film.mkv", page())
    with pytest.raises(BadInputError, match=r"but the mask is for a viewport of 640x360; give the mask for the"):
        measure_video(path, None, replace(mask(), viewport=Viewport(640, 360)))
