"""The room that a simulated screen has for a clip."""

from typing import Any

import pytest

from eyelevel.simulate.evidence import has_room
from eyelevel.simulate.model import LAPTOP_PX, PHONE_DEVICE_PIXEL_RATIO, PHONE_PX, Person
from eyelevel.simulate.session import Clip, Room, Trial

LAPTOP = Person(bias=0.0, noise_sd=0.0, screen_px=LAPTOP_PX)
PHONE = Person(bias=0.0, noise_sd=0.0, screen_px=PHONE_PX, device_pixel_ratio=PHONE_DEVICE_PIXEL_RATIO)
SINGLE, PAIR = (1280, 720), (2576, 720)


@pytest.mark.parametrize(
    ("who", "clip_px", "params", "expected"),
    [
        (PHONE, SINGLE, {}, True),
        # 390 of 1280 pixels: 0.305 in CSS pixels, 0.914 in those of the device
        (PHONE, SINGLE, {"min_scale": 0.3, "min_device_scale": 0.9}, True),
        (PHONE, SINGLE, {"min_scale": 0.31}, False),
        (PHONE, SINGLE, {"min_device_scale": 0.92}, False),
        (PHONE, PAIR, {"min_device_scale": 0.48}, False),
        (LAPTOP, PAIR, {"min_width_px": 1024, "min_scale": 0.48, "min_device_scale": 0.48}, True),
        (LAPTOP, PAIR, {"min_scale": 0.56}, False),
        (LAPTOP, PAIR, {"min_width_px": 1441}, False),
        # never larger than captured
        (LAPTOP, (640, 360), {"min_scale": 1.1}, False),
    ],
)
def test_a_screen_has_room_for_a_clip_at_its_smallest_size(
    who: Person, clip_px: tuple[int, int], params: dict[str, Any], expected: bool
) -> None:
    width_px, height_px = clip_px
    clip = Clip("/clips/1", 10, "ab", width_px, height_px, start_ms=0.0)
    trial = Trial(1, "rate", 2, training=False, answer_from="end", clip=clip, params=Room.of(params))
    assert has_room(trial, who) is expected
