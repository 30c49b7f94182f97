"""`eyelevel measure` on folders, films and takes, and the sentences for what is none of them."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from eyelevel.errors import BadInputError
from eyelevel.measure.changes import Changed
from eyelevel.measure.command import measure
from eyelevel.measure.film import measure_film
from eyelevel.measure.watch import watch
from eyelevel.video import Frame
from eyelevel_core.contracts import ContractError
from tests.changes_file import needs_recorder, recorded

needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")


def page(black_rows: int) -> Frame:
    frame = np.full((64, 96, 3), 255, np.uint8)
    frame[:black_rows] = 0
    return frame


def film(path: Path, frames: list[Frame], *, codec: tuple[str, ...] = ("libx264rgb", "-crf", "0")) -> Path:
    """A video of ten frames a second."""
    height, width, _ = frames[0].shape
    command = [
        *("ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24"),
        *("-video_size", f"{width}x{height}", "-framerate", "10", "-i", "pipe:0", "-c:v", *codec, str(path)),
    ]
    subprocess.run(command, input=b"".join(f.tobytes() for f in frames), check=True)
    return path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(measure, [str(a) for a in arguments], catch_exceptions=False)
    return result.stdout


def sentence(*arguments: object) -> str:
    with pytest.raises((BadInputError, ContractError)) as caught:
        run(*arguments)
    return str(caught.value)


def save(folder: Path, **pictures: Frame) -> Path:
    for name, frame in pictures.items():
        Image.fromarray(frame).save(folder / f"{name}.png")
    return folder


def test_a_folder_of_frames(tmp_path: Path) -> None:
    save(tmp_path, ms_000000=page(0), ms_000300=page(16), ms_000500=page(64))
    # a quarter at 300 ms: 300 * 1 + 200 * 0.75
    assert json.loads(run(tmp_path, "--json")) == {
        "fvc_ms": 300,
        "si_ms": 450,
        "vc85_ms": 500,
        "lvc_ms": 500,
        "progress": [[0, 0], [300, 25], [500, 100]],
    }


@needs_ffmpeg
def test_a_video_by_its_own_timestamps(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mkv", [page(0), page(0), page(32), page(32), page(64)])
    assert json.loads(run(path, "--json")) == {
        "fvc_ms": 200,
        "si_ms": 300,
        "vc85_ms": 400,
        "lvc_ms": 400,
        "progress": [[0, 0], [200, 50], [400, 100]],
    }


@needs_ffmpeg
def test_a_take_by_the_times_that_capture_kept(tmp_path: Path) -> None:
    film(tmp_path / "film.mkv", [page(0), page(0), page(32), page(64)])
    (tmp_path / "frames.json").write_text(json.dumps({"times_ms": [-12.5, 20, 51.25, 90]}))
    measured = json.loads(run(tmp_path, "--json"))
    assert (measured["fvc_ms"], measured["lvc_ms"]) == (51.25, 90)
    # 51.25 * 1 + 38.75 * 0.5 = 70.625, rounded down
    assert measured["si_ms"] == 70
    assert run(tmp_path / "film.mkv", "--times", tmp_path / "frames.json", "--json") == run(tmp_path, "--json")


@needs_ffmpeg
def test_a_lossless_film_is_compared_exactly(tmp_path: Path) -> None:
    nearly = page(0)
    nearly[5, 5] = (254, 255, 255)
    measured = measure_film(film(tmp_path / "film.mkv", [page(0), nearly, page(9)]), [0, 100, 200])
    assert measured.fvc_ms == 100


@needs_ffmpeg
@pytest.mark.parametrize("size", [(64, 96), (66, 98)])
@pytest.mark.parametrize("place", [(0, 0), (40, 7), (5, 8), (-1, -1), (-1, 0), (0, -1)])
def test_one_pixel_anywhere_is_a_change(tmp_path: Path, size: tuple[int, int], place: tuple[int, int]) -> None:
    before, after = (np.full((*size, 3), 255, np.uint8) for _ in range(2))
    after[place] = (254, 255, 255)
    path = film(tmp_path / "film.mkv", [before, before, after, after])
    assert json.loads(run(path, "--json"))["lvc_ms"] == 200


@needs_ffmpeg
def test_a_lossy_video_has_no_changes_that_only_its_encoder_made(tmp_path: Path) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (64, 96, 3), dtype=np.uint8)
    shown = noise.repeat(8, axis=0)[:64].repeat(8, axis=1)[:, :96]
    frames = [page(0)] * 5 + [shown] * 15
    path = film(tmp_path / "clip.mp4", frames, codec=("libx264", "-crf", "23", "-g", "4", "-pix_fmt", "yuv420p"))
    exactly = json.loads(run(path, "--tolerance", 0, "--json"))
    tolerantly = json.loads(run(path, "--json"))
    assert exactly["lvc_ms"] > 500
    assert (tolerantly["fvc_ms"], tolerantly["lvc_ms"]) == (500, 500)


@needs_ffmpeg
@needs_recorder
def test_histograms_counted_while_filming_stand_for_the_film(tmp_path: Path) -> None:
    frames = [page(0), page(32), page(64)]
    film(tmp_path / "film.mkv", frames)
    (tmp_path / "frames.json").write_text(json.dumps({"times_ms": [0, 51.25, 90]}))
    measured = run(tmp_path, "--json")
    changes = recorded(tmp_path / "changes", [[shown(frame)] for frame in frames], width_px=96, height_px=64)
    assert watch(changes, width_px=96, height_px=64, to=tmp_path / "histograms.bin") == 3
    (tmp_path / "film.mkv").write_bytes(b"not looked at")
    assert run(tmp_path, "--json") == measured
    with (tmp_path / "histograms.bin").open("ab") as file:
        file.write(b"torn")
    assert sentence(tmp_path).endswith("ends in the middle of a histogram; remove it to measure the film itself.")


@needs_recorder
def test_changes_that_are_damaged_are_refused(tmp_path: Path) -> None:
    changes = recorded(tmp_path / "changes", [[shown(page(0))]], width_px=96, height_px=64, end=b"?")
    with pytest.raises(BadInputError, match="picture 1 is damaged"):
        watch(changes, width_px=96, height_px=64, to=tmp_path / "histograms.bin")


def shown(frame: Frame) -> Changed:
    """The whole screen, as the recorder stores it."""
    return Changed(0, 0, np.dstack([frame[:, :, ::-1], np.zeros(frame.shape[:2], np.uint8)]))


def test_unknown_is_said_in_words(tmp_path: Path) -> None:
    output = run(save(tmp_path, ms_000000=page(0)))
    assert output.count("unknown") == 4


def test_wrong_input_gets_one_sentence(tmp_path: Path) -> None:
    missing, text, empty, wrong = (tmp_path / name for name in ("missing.mp4", "text.mp4", "empty", "wrong"))
    text.write_text("not a video")
    empty.mkdir()
    wrong.mkdir()
    assert sentence(missing) == f"{missing} does not exist; give a video, a folder of frames or a take's folder."
    assert sentence(empty) == f"{empty} has no frames; they must be named ms_NNNNNN.png, e.g. ms_000920.png."
    save(wrong, ms_000500=page(1))
    assert sentence(wrong) == f"{wrong} lacks ms_000000.png, the frame at navigation start."
    save(wrong, frame_1=page(1))
    assert "frame_1.png is not named like a frame" in sentence(wrong)
    assert sentence(empty, "--tolerance", 3) == f"{empty} is a folder; --times and --tolerance are for videos."


def test_a_picture_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "ms_000000.png").write_text("no picture")
    assert sentence(tmp_path) == f"{tmp_path / 'ms_000000.png'} cannot be read as a picture."


@needs_ffmpeg
def test_a_file_that_is_no_video_is_named(tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("not a video")
    assert sentence(text).startswith(f"{text} is not a video: ")


@needs_ffmpeg
def test_a_film_cut_short_or_with_other_times_is_refused(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mkv", [page(0), page(1), page(2)])
    with pytest.raises(BadInputError, match="it has 3 frames, but 2 times"):
        measure_film(path, [0, 100])
    with pytest.raises(BadInputError, match="it has 3 frames, but 4 times"):
        measure_film(path, [0, 100, 200, 300])


@pytest.mark.parametrize("content", ["[1, 2]", '{"times_ms": "0"}', '{"times_ms": [true]}', "{"])
def test_times_of_another_form_are_refused(tmp_path: Path, content: str) -> None:
    times, video = tmp_path / "frames.json", tmp_path / "film.mkv"
    times.write_text(content)
    video.write_bytes(b"")
    assert sentence(video, "--times", times).startswith(str(times))
