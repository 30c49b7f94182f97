"""Tests of the rules for the video of a clip, on real videos."""

import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from batches import DURATION_MS, FRAME_RATE, HEIGHT_PX, WIDTH_PX
from videos import encode, ffmpeg_is_here, real_video

from eyelevel_core.batch_folder import ffprobe
from eyelevel_core.batch_folder.ffprobe import probe
from eyelevel_core.clip_rules import fault
from eyelevel_core.model.batch import Clip

pytestmark = pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe")

DECLARED = Clip(
    kind="single",
    site="alpha.example",
    network="DSL",
    run=1,
    takes=("0" * 64,),
    stacks=("QUIC",),
    sha256="1" * 64,
    path="clips/a.mp4",
    width_px=WIDTH_PX,
    height_px=HEIGHT_PX,
    duration_ms=DURATION_MS,
    frame_rate=FRAME_RATE,
)
H264 = ("-c:v", "libx264", "-preset", "ultrafast")


NAMES = ("alpha.example", "DSL", "QUIC")


def fault_of(data: bytes, folder: Path, **declared: Any) -> str | None:
    path = folder / "clip.mp4"
    path.write_bytes(data)
    return fault(probe(path), replace(DECLARED, **declared), names=NAMES)


def test_the_declared_clip_has_no_fault(tmp_path: Path) -> None:
    assert fault_of(real_video(1), tmp_path) is None


def test_a_text_file_named_mp4_is_no_video(tmp_path: Path) -> None:
    assert fault_of(b"hello\n" * 100, tmp_path) == "ffprobe finds no MP4 video in it"


def test_a_playlist_is_not_followed(tmp_path: Path) -> None:
    assert fault_of(b"#EXTM3U\n#EXTINF:1,\n/etc/passwd\n", tmp_path) == "ffprobe finds no MP4 video in it"


def test_a_video_without_its_index_is_found(tmp_path: Path) -> None:
    assert fault_of(real_video(1)[:200], tmp_path) == "ffprobe finds no MP4 video in it"


def damaged(data: bytes, how: str) -> bytes:
    middle = len(data) // 2
    match how:
        case "cut":
            return data[:middle]
        case "flipped":
            return data[:middle] + bytes(byte ^ 0xFF for byte in data[middle : middle + 40]) + data[middle + 40 :]
        case _:
            return data[:middle] + bytes(len(data) - middle)


@pytest.mark.parametrize("how", ["cut", "flipped", "filled with zeros"])
def test_a_video_whose_header_lists_more_frames_than_can_be_decoded_is_found(tmp_path: Path, how: str) -> None:
    # noise, so that frames are many bytes; the index comes first, as in clips
    data = encode(1, "-vf", "noise=alls=60:allf=t", *H264, "-movflags", "+faststart")
    assert fault_of(data, tmp_path) is None
    found = fault_of(damaged(data, how), tmp_path)
    assert found is not None
    assert re.fullmatch(r"only \d+ of its 5 frames can be decoded, so it is cut short or damaged", found)


def test_a_video_with_too_few_frames_for_its_length_is_found(tmp_path: Path) -> None:
    data = encode(1, *H264, "-vf", "select='not(between(n,1,3))'", "-fps_mode", "passthrough")
    assert fault_of(data, tmp_path) == "it has 2 frames, but the manifest says 5 (10 a second)"


def test_another_codec_is_named(tmp_path: Path) -> None:
    assert fault_of(encode(1, "-c:v", "mpeg4"), tmp_path) == "its codec is mpeg4, but must be h264"


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ({"width_px": 66}, "it is 64x36, but the manifest says 66x36"),
        ({"duration_ms": 700.0}, "it lasts 500 ms, but the manifest says 700 ms"),
    ],
)
def test_another_size_or_length_is_named(declared: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    assert fault_of(real_video(1), tmp_path, **declared) == sentence


def test_a_length_within_one_frame_is_close_enough(tmp_path: Path) -> None:
    assert fault_of(real_video(1), tmp_path, duration_ms=DURATION_MS + 1000 / FRAME_RATE) is None


def test_sound_is_refused(tmp_path: Path) -> None:
    data = encode(1, "-f", "lavfi", "-i", "sine=d=0.5", *H264)
    assert fault_of(data, tmp_path) == "its streams are video, audio, but must be one video stream and nothing else"


@pytest.mark.parametrize("value", ["quic", "take_QUIC-3", "film of alpha.example"])
def test_a_tag_that_encoders_write_may_not_name_what_is_seen(value: str, tmp_path: Path) -> None:
    data = encode(1, *H264, "-metadata:s:v:0", f"handler_name={value}")
    assert fault_of(data, tmp_path) == (
        f"its metadata has the tag 'handler_name' with the value {value!r}, "
        "which a participant could read; encode it without metadata"
    )


def test_a_name_inside_another_word_is_none(tmp_path: Path) -> None:
    assert fault_of(encode(1, *H264, "-metadata:s:v:0", "handler_name=quickly"), tmp_path) is None


def test_a_title_is_refused_because_participants_could_read_it() -> None:
    found = {
        "format": {"tags": {"major_brand": "isom", "title": "QUIC over DSL"}},
        "streams": [
            {
                "codec_type": "video",
                "codec_name": "h264",
                "width": 64,
                "height": 36,
                "duration": "0.5",
                "nb_frames": "5",
                "nb_read_frames": "5",
            }
        ],
    }
    assert fault(found, DECLARED, names=NAMES) == (
        "its metadata has the tag 'title', which a participant could read; encode it without metadata"
    )


HUNGRY = """x = bytearray(3 * 1024**3 // 2); print('{"format": {}}')"""
BUSY = "while True: pass"
WRITING = """open("written", "wb").write(b"x" * 10_000); print('{"format": {}}')"""


@pytest.mark.parametrize("code", [HUNGRY, BUSY, WRITING], ids=["memory", "processor", "disk"])
def test_a_probe_takes_no_more_than_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    program = tmp_path / "ffprobe"
    program.write_text(f"#!{sys.executable}\n{code}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ffprobe, "LIMITS", tuple(limit.replace("--cpu=120", "--cpu=4") for limit in ffprobe.LIMITS))
    began = time.monotonic()
    assert ffprobe.probe(tmp_path / "film.mp4") == {"error": "ffprobe finds no MP4 video in it"}
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("present", ["ffprobe", "prlimit"])
def test_a_program_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, present: str) -> None:
    (tmp_path / present).write_text("")
    (tmp_path / present).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ffprobe.ProbeMissingError, match="ffprobe or prlimit is missing"):
        ffprobe.probe(tmp_path / "film.mp4")
