"""The script of the fixture page for Saif et al. 2020 makes parts of exactly the sizes of their table I."""

import importlib
import io
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
KB = 1024


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FIXTURES))
    return importlib.import_module("make_saif2020")


class Elements(HTMLParser):
    """Counts what is below body, and how deep it lies, with body as 1."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count = self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body" or self.open:
            self.open.append(tag)
            self.count += tag != "body"
            self.depth = max(self.depth, len(self.open))
            if tag == "img":
                self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self.open:
            assert self.open.pop() == tag


def test_the_document_has_85_elements_below_body_and_a_depth_of_11(script: ModuleType) -> None:
    elements = Elements()
    elements.feed(script.document().decode())
    assert (elements.count, elements.depth, elements.open) == (85, 11, [])


def test_bodies_and_their_overhead_add_up_to_the_papers_transfer(script: ModuleType) -> None:
    assert [sum(script.sizes(variant)) for variant in script.VARIANTS] == [797 * KB] * 2
    assert [max(script.sizes(variant)) for variant in script.VARIANTS] == [68011, 400 * KB]
    assert len(script.document()) == script.body_bytes(4 * KB)
    assert sum(len(sheet) for sheet in script.sheets(48 * KB)) == 2 * script.body_bytes(24 * KB)
    # a header block, and a frame's header for each 8 KiB that begin
    assert script.body_bytes(24 * KB) == 24 * KB - 45 - 3 * 9


def test_a_picture_has_exactly_the_size_and_can_be_decoded(script: ModuleType) -> None:
    grain = np.random.default_rng(1).normal(128, 30, (96, 128, 3))
    image = Image.fromarray(np.clip(grain, 0, 255).astype(np.uint8))
    data = script.jpeg(image, 7001)
    assert len(data) == 7001
    with Image.open(io.BytesIO(data)) as found:
        found.load()
        assert (found.format, found.size) == ("JPEG", (128, 96))
    with pytest.raises(ValueError, match=r"A picture of 128 x 96 px has \d+ bytes at quality 97, not 90000"):
        script.jpeg(image, 90_000)


def test_a_font_has_exactly_the_size_and_draws_capitals(script: ModuleType) -> None:
    for size in (31_000, 31_001, 31_002, 31_003):
        assert len(script.pixel_font(size, seed=1)) == size
    font = ImageFont.truetype(io.BytesIO(script.pixel_font(31_000, seed=1)), 80)
    assert font.getname() == ("Eyelevel Pixel", "Regular")
    # at 80 px a pixel of the font is 10; of the six columns of a letter's cell I has three in the middle, L five
    drawn = Image.new("L", (60, 80))
    ImageDraw.Draw(drawn).text((0, 70), "I", font=font, fill=255, anchor="ls")
    assert drawn.getbbox() == (10, 0, 40, 70)
    drawn = Image.new("L", (60, 80))
    ImageDraw.Draw(drawn).text((0, 70), "L", font=font, fill=255, anchor="ls")
    assert drawn.getbbox() == (0, 0, 50, 70)
    with pytest.raises(ValueError, match="The letters alone need"):
        script.pixel_font(2000, seed=1)
