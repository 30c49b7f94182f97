"""All runs of a setting in one picture: a row per run, a column per moment, the same moments in every arm."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from eyelevel.contact_sheet.command import contact_sheet
from eyelevel.contact_sheet.page import page
from eyelevel.contact_sheet.sheet import COLUMNS, GAP_PX, HEAD_PX, LABEL_PX, WIDTH_PX, frame_at, moments_ms

SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample-batch" / "takes" / "garden" / "DSL" / "QUIC"
WHITE, GREEN = (255, 255, 255), (0, 128, 0)

needs_ffmpeg = pytest.mark.browser  # the machine that films has all of it


def put(batch: Path, stack: str, number: int, *, lvc_ms: float, outcome: str = "settled") -> None:
    """A take of 20 frames, 100 ms apart, that turns from white to green at `lvc_ms`."""
    folder = batch / "takes" / "garden" / "DSL" / stack / f"run-{number:02d}"
    folder.mkdir(parents=True)
    value: dict[str, Any] = json.loads((SAMPLE / "run-01" / "take.json").read_text())
    value["stack"]["name"], value["run"], value["outcome"] = stack, number, outcome
    value["metrics"]["lvc_ms"] = lvc_ms
    (folder / "take.json").write_text(json.dumps(value))
    times = [100.0 * i for i in range(20)]
    (folder / "frames.json").write_text(json.dumps({"times_ms": times}))
    pixels = b"".join(bytes(GREEN if ms >= lvc_ms else WHITE) * 64 * 36 for ms in times)
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x36", "-r", "10"]
    encode = ["-i", "pipe:0", "-c:v", "libx264rgb", "-qp", "0", str(folder / "film.mkv")]
    subprocess.run([*command, *encode], input=pixels, check=True)


def colours(picture: Path, row: int) -> list[str]:
    """What the middle of each picture of a row shows."""
    height_px = round(WIDTH_PX * 720 / 1280)
    with Image.open(picture) as image:
        y = HEAD_PX + row * (height_px + GAP_PX) + height_px // 2
        pixels = [image.getpixel((LABEL_PX + i * (WIDTH_PX + GAP_PX) + WIDTH_PX // 2, y)) for i in range(COLUMNS + 1)]
    return ["white" if isinstance(pixel, tuple) and pixel[0] > 200 else "green" for pixel in pixels]


@needs_ffmpeg
def test_each_run_is_a_row_and_the_moments_are_those_of_the_slowest_arm(tmp_path: Path) -> None:
    put(tmp_path / "batch", "QUIC", 1, lvc_ms=800)
    put(tmp_path / "batch", "QUIC", 2, lvc_ms=400)
    put(tmp_path / "batch", "TCP+", 1, lvc_ms=1600, outcome="unsettled")
    result = CliRunner().invoke(contact_sheet, [str(tmp_path / "batch"), "--out", str(tmp_path / "sheets")])
    assert result.exit_code == 0, result.output
    quic, tcp = (tmp_path / "sheets" / f"garden~DSL~cold~{stack}.jpg" for stack in ("QUIC", "TCP+"))
    assert colours(quic, 0) == ["white"] * 4 + ["green"] * 6  # 0 200 400 600 | 800 ... 1600 end
    assert colours(quic, 1) == ["white"] * 2 + ["green"] * 8
    assert colours(tcp, 0) == ["white"] * 8 + ["green"] * 2
    index = (tmp_path / "sheets" / "index.html").read_text()
    assert "garden, DSL" in index
    assert 'src="garden~DSL~cold~TCP%2B.jpg"' in index
    assert "QUIC, 2 runs" in index


@needs_ffmpeg
def test_a_film_that_is_gone_is_named(tmp_path: Path) -> None:
    put(tmp_path, "QUIC", 1, lvc_ms=800)
    film = tmp_path / "takes" / "garden" / "DSL" / "QUIC" / "run-01" / "film.mkv"
    film.write_bytes(film.read_bytes()[:100])
    result = CliRunner().invoke(contact_sheet, [str(tmp_path), "--out", str(tmp_path / "sheets")])
    assert "film.mkv cannot be shown" in str(result.exception)


def test_a_folder_without_takes_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(contact_sheet, [str(tmp_path), "--out", str(tmp_path / "sheets")])
    assert "contains no take; give the folder that eyelevel capture made." in str(result.exception)
    shutil.copytree(SAMPLE / "run-01", tmp_path / "takes" / "garden" / "DSL" / "QUIC" / "run-01")
    (tmp_path / "takes" / "garden" / "DSL" / "QUIC" / "run-01" / "frames.json").write_text("{")
    result = CliRunner().invoke(contact_sheet, [str(tmp_path), "--out", str(tmp_path / "sheets")])
    assert "frames.json cannot be read as JSON" in str(result.exception)


def test_the_frame_of_a_moment_is_the_last_that_had_come() -> None:
    assert [frame_at([-50.0, 10.0, 60.0], ms) for ms in (-80, 0, 9.9, 10, 59, 1000)] == [0, 0, 0, 1, 1, 2]


def test_moments_reach_from_navigation_start_to_the_latest_end() -> None:
    assert moments_ms([400.0, 800.0]) == [100.0 * i for i in range(9)]
    assert moments_ms([]) == [0.0] * COLUMNS


def test_names_are_escaped_on_the_page() -> None:
    assert "<b>" not in page([(("<b>", "DSL", "http"), [("TCP+", 1, "x#y.jpg")])])
    assert 'src="x%23y.jpg"' in page([(("a", "DSL", "http"), [("TCP+", 1, "x#y.jpg")])])
    assert "a, DSL, http" in page([(("a", "DSL", "http"), [])])
