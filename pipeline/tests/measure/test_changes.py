"""Counts of changed rectangles equal those of whole frames; a changes file is read as it was shown."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from eyelevel.built import RECORDER
from eyelevel.errors import BadInputError
from eyelevel.measure.changes import Changed, changes
from eyelevel.measure.parts import ChangeSplitter, Part, Splitter
from eyelevel.video import decode, frame_times_ms, inspect
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import RULES, Mask, Region, box_of, connected, drawn, grid
from tests.changes_file import needs_recorder, recorded

WIDTH_PX, HEIGHT_PX = 70, 50
COLOURS = np.array([[255, 255, 255, 0], [250, 251, 252, 0], [0, 128, 255, 0], [249, 255, 255, 0]], np.uint8)
VIEWPORT = Viewport(WIDTH_PX, HEIGHT_PX)
# two regions, the second of them cut off by the edge of the page
TILES = frozenset({(1, 1), (2, 1), (2, 2), (4, 3)})


def two_regions() -> Mask:
    regions = tuple(Region(len(tiles), box_of(tiles, VIEWPORT), 3.0, 0.0) for tiles in connected(TILES))
    return Mask(
        recording="ab" * 32,
        start_url="https://garden.example/",
        start_url_given=False,
        viewport=VIEWPORT,
        tile_px=16,
        threshold=8,
        rules=RULES,
        loads=(),
        rows=drawn(TILES, grid(VIEWPORT)),
        regions=regions,
        not_painting=(),
        timed=(),
        masked_share=0.2,
        animated=False,
    )


def random_changes(seed: int, count: int) -> Iterator[list[Changed]]:
    """First the whole screen, then disjoint rectangles of few colours: some changes change back, some do not show."""
    draw = np.random.default_rng(seed)
    for number in range(count):
        wholly = number == 0
        rectangles = []
        for left in (0, 40):
            width, height = (int(draw.integers(1, 30)), int(draw.integers(1, 40)))
            if wholly:
                width, height = WIDTH_PX, HEIGHT_PX
            pixels = COLOURS[draw.integers(0, len(COLOURS), (height, width))]
            top = 0 if wholly else int(draw.integers(0, HEIGHT_PX - height))
            rectangles.append(Changed(left, top, pixels))
            if wholly or draw.random() < 0.5:
                break
        yield rectangles


def shown(frames: Sequence[Sequence[Changed]]) -> Iterator[NDArray[np.uint8]]:
    """The whole frames, as planes of red, green and blue."""
    picture = np.zeros((HEIGHT_PX, WIDTH_PX, 4), np.uint8)
    for rectangles in frames:
        for left, top, pixels in rectangles:
            picture[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
        yield np.ascontiguousarray(picture[:, :, 2::-1].transpose(2, 0, 1))


def plain(parts: Sequence[Part]) -> list[tuple[int, int, float, list[int]]]:
    return [(part.frame, part.part, part.bits, part.counts.ravel().tolist()) for part in parts]


@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_counts_of_changed_rectangles_are_exactly_those_of_whole_frames(seed: int, with_mask: bool) -> None:
    mask = two_regions() if with_mask else None
    frames = list(random_changes(seed, 40))
    whole, changed = Splitter(mask), ChangeSplitter(mask, width_px=WIDTH_PX, height_px=HEIGHT_PX)
    differing = 0
    for rectangles, planes in zip(frames, shown(frames), strict=True):
        expected = whole.split((planes[0], planes[1], planes[2]))
        assert plain(changed.split(rectangles)) == plain(expected)
        differing += len(expected)
    assert differing > len(frames) / 2


def file_of(folder: Path, frames: Sequence[Sequence[Changed]]) -> Path:
    return recorded(folder / "changes", frames, width_px=WIDTH_PX, height_px=HEIGHT_PX)


@needs_recorder
def test_a_changes_file_gives_the_rectangles_as_they_were_shown(tmp_path: Path) -> None:
    frames = [[change for change in each if change.pixels.size >= 16] for each in random_changes(3, 12)]
    read = list(changes(file_of(tmp_path, frames)))
    assert [[change[:2] for change in each] for each in read] == [[change[:2] for change in each] for each in frames]
    for picture, other in zip(shown(read), shown(frames), strict=True):
        assert np.array_equal(picture, other)


@needs_recorder
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_a_film_of_a_changes_file_has_a_frame_for_each_picture_at_its_time(tmp_path: Path) -> None:
    frames = [each for each in random_changes(4, 9) if all(change.pixels.size >= 16 for change in each)]
    film = tmp_path / "film.mkv"
    subprocess.run([RECORDER.find(), "film", file_of(tmp_path, frames), film], check=True)
    for picture, planes in zip(decode(inspect(film)), shown(frames), strict=True):
        assert np.array_equal(picture.transpose(2, 0, 1), planes)
    assert frame_times_ms(film) == [20 * number for number in range(len(frames))]


@needs_recorder
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_a_film_may_end_before_its_changes_do(tmp_path: Path) -> None:
    frames = [each for each in random_changes(4, 9) if all(change.pixels.size >= 16 for change in each)]
    film = tmp_path / "film.mkv"
    subprocess.run([RECORDER.find(), "film", "--pictures", "3", file_of(tmp_path, frames), film], check=True)
    assert frame_times_ms(film) == [0, 20, 40]
    for picture, planes in zip(decode(inspect(film)), shown(frames[:3]), strict=True):
        assert np.array_equal(picture.transpose(2, 0, 1), planes)


@needs_recorder
def test_a_file_that_is_cut_is_told_by_one_sentence(tmp_path: Path) -> None:
    file = file_of(tmp_path, list(random_changes(5, 2)))
    file.write_bytes(file.read_bytes()[: -len("E") - 28 - 40])
    done = subprocess.run([RECORDER.find(), "film", file, tmp_path / "film.mkv"], capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"cut off after 1 pictures" in done.stderr


@needs_recorder
def test_a_file_of_something_else_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "changes").write_bytes(b"RIFF" * 10)
    with pytest.raises(BadInputError, match="is not a changes file"):
        list(changes(tmp_path / "changes"))
