"""eyelevel replay: what it refuses, and the page of a check."""

import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from eyelevel.errors import BadInputError, NotPermittedError, RefusedError
from eyelevel.loads.seeds import page_seed
from eyelevel.loads.site import Site
from eyelevel.loads.talk import Talk
from eyelevel.replay import pictures
from eyelevel.replay.check import Checked
from eyelevel.replay.command import drawing, replay
from eyelevel.replay.page import page
from eyelevel.replay.pictures import difference, recorded_screenshot, similarity_of
from eyelevel_core.batch_folder.volatile import write_volatile
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.volatile import Callback, Volatile, VolatileParameter
from tests.core import made
from tests.loads import pages
from tests.loads.recordings import record

VOLATILE = Volatile(
    "ab" * 32, (VolatileParameter("a.example", "/feed", "cb", "two loads"),), (Callback("a.example", "/feed", "cb"),)
)


def invoke(*arguments: object) -> None:
    CliRunner().invoke(replay, [str(argument) for argument in arguments], catch_exceptions=False, standalone_mode=False)


def test_learning_refuses_to_replace_a_file_that_may_have_been_corrected(tmp_path: Path) -> None:
    recording = record(tmp_path / "page.warc.gz", b"<p>page")
    file = tmp_path / "page.volatile.json"
    write_volatile(Volatile(sha256_of_file(recording), (), ()), file)
    before = file.read_bytes()
    with pytest.raises(RefusedError, match=r"page\.volatile\.json exists and may have been corrected; give --again"):
        invoke("learn", recording)
    assert file.read_bytes() == before


def test_a_missing_recording_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"none\.warc\.gz does not exist"):
        invoke("check", tmp_path / "none.warc.gz", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["learn", "check"])
def test_without_root_nothing_is_loaded(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    recording = record(tmp_path / "page.warc.gz", b"<p>page")
    options = [] if command == "learn" else ["-o", tmp_path / "out"]
    with pytest.raises(NotPermittedError, match="needs root, for network namespaces; run the command with sudo"):
        invoke(command, recording, *options)


def test_the_check_draws_by_the_seed_of_the_recording_or_the_campaign_and_says_whose_it_is() -> None:
    site = Site("garden", Path("garden.warc.gz"), "ab" * 32, None)
    of_campaign = page_seed(2019, site.digest)
    assert drawing(site, 2019) == (of_campaign, "that of campaigns with the seed 2019")
    seed, words = drawing(site, None)
    assert seed not in {of_campaign, drawing(site, 0)[0]}
    assert words == "a fixed one of this check; give the seed of a campaign with --seed"
    assert drawing(replace(site, chance_seed=7), 2019) == (7, "which the recording stores")


def picture(box: bool = False) -> bytes:
    shown = np.zeros((720, 1280, 3), np.uint8)
    shown[::2] = 200
    if box:
        shown[100:400, 100:700] = (250, 10, 10)
    file = BytesIO()
    Image.fromarray(shown).save(file, "PNG")
    return file.getvalue()


def test_the_page_has_verdict_gates_pictures_requests_and_volatile_parameters_and_needs_nothing_else() -> None:
    checked = Checked(made.replay_check(lacks_style_sheet=True), [picture(), picture(box=True)], picture())
    text = page("garden", checked, VOLATILE, None)
    assert (
        f"garden is excluded from comparisons for all stacks: a style sheet was missed with QUIC ({made.SHEET})."
        in text
    )
    assert text.count("data:image/png;base64,") == 6
    assert "style sheet, needed" in text
    assert "1\u00a0request not answered exactly" in text
    assert "two loads" in text
    assert "(b) (c)" in text
    assert not [part for part in ('src="http', 'href="http', "url(") if part in text]


def test_a_page_that_is_kept_says_so_and_what_is_unknown() -> None:
    text = page("garden", Checked(made.replay_check(), [picture(), picture()], None), None, None)
    assert (
        "garden passes gates (a) and (b); its picture was not compared with the recorded page, so look at it." in text
    )
    assert "The recording has no screenshot to compare with." in text
    assert "Unknown: the recording has no file of volatile parameters." in text
    assert "no screenshot" in text


def test_a_page_of_one_colour_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    blank = pages.painted(1280, 720, (255, 255, 255))
    checked = Checked(made.replay_check(), [picture(), blank], None)
    assert "The replayed page shows nothing: it has a single colour." in page("garden", checked, None, None)
    Talk().checked("garden", checked.check, checked.warning)
    assert "! garden: The replayed page shows nothing: it has a single colour." in capsys.readouterr().err


ANOTHER_SIZE = (
    "The recorded screenshot is 64 x 48 pixels and the replay 1280 x 720, so gate (c) cannot be checked; give the "
    "viewport 64x48, or record the page again."
)


def test_a_recorded_screenshot_of_another_size_is_named_in_the_page_and_in_the_talk(
    capsys: pytest.CaptureFixture[str],
) -> None:
    small = pages.painted(64, 48, (0, 0, 0))
    checked = Checked(made.replay_check(), [picture(), picture()], small)
    text = page("garden", checked, None, None)
    assert text.count(ANOTHER_SIZE) == 2
    assert text.count("another size") == 3
    assert "no screenshot" not in text
    Talk().checked("garden", checked.check, checked.warning)
    assert f"! garden: {ANOTHER_SIZE}\n" in capsys.readouterr().err
    for same in (picture(), None):
        assert Checked(made.replay_check(), [picture(), picture()], same).warning is None


def test_the_difference_shows_changed_pixels_in_red() -> None:
    made_of = difference(picture(box=True), picture(), None)
    assert made_of is not None
    shown = np.asarray(Image.open(BytesIO(made_of)))
    assert tuple(shown[201, 201]) == (208, 32, 32)
    assert tuple(shown[600, 1000]) != (208, 32, 32)


def bomb(width: int, height: int) -> bytes:
    """The head of a PNG of this size, which has hardly a byte itself."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + width.to_bytes(4) + height.to_bytes(4) + b"\x08\x02\0\0\0"


@pytest.mark.parametrize(
    ("screenshot", "words"),
    [
        (bomb(60_000, 60_000), "is 60000 x 60000 pixels, but must be from 1 x 1 to 4096 x 4096"),
        (bomb(4097, 1), "is 4097 x 1 pixels, but must be from 1 x 1 to 4096 x 4096"),
        (bomb(1, 4097), "is 1 x 4097 pixels, but must be from 1 x 1 to 4096 x 4096"),
        (bomb(0, 1), "is 0 x 1 pixels, but must be from 1 x 1 to 4096 x 4096"),
        (b"GIF89a" + bytes(30), "is not a PNG"),
        (b"", "is not a PNG"),
        (pages.painted(64, 48, (0, 0, 0))[:-20], "is a damaged PNG (image file is truncated)"),
        (pages.painted(64, 48, (0, 0, 0)) + bytes(300), "has more than 256 bytes"),
    ],
)
def test_a_screenshot_that_cannot_be_read_or_is_too_large_is_named(
    tmp_path: Path, screenshot: bytes, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MOST_PNG_BYTES", 256)
    recording = pages.write(tmp_path / "with.warc.gz", screenshot=screenshot)
    with pytest.raises(BadInputError) as caught:
        recorded_screenshot(recording)
    assert str(caught.value) == f"{recording}: the screenshot {words}; record the page again."


def test_a_screenshot_is_found_in_the_recording_and_one_of_another_size_is_not_compared(tmp_path: Path) -> None:
    shot = picture()
    assert recorded_screenshot(pages.write(tmp_path / "with.warc.gz", screenshot=shot)) == shot
    assert recorded_screenshot(pages.write(tmp_path / "without.warc.gz")) is None
    assert similarity_of(shot, shot, None) == pytest.approx(1.0, abs=1e-12)
    small = pages.painted(64, 48, (0, 0, 0))
    assert (similarity_of(shot, small, None), similarity_of(shot, None, None), difference(shot, small, None)) == (
        None, None, None,
    )  # fmt: skip
