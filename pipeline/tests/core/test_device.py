"""Device profiles: what each one is, and that records leave out a desktop."""

from dataclasses import replace
from typing import Any

import pytest

from eyelevel_core.contracts import ContractError, schema
from eyelevel_core.model.device import DESKTOP, DEVICES, PHONE, Viewport, device_of, recorded_as
from eyelevel_core.model.run import RunName
from eyelevel_core.model.take import Take
from tests.core import made

SIZE = Viewport(1280, 720)
RUN = RunName("garden-phone", "DSL", "QUIC", 1)


def test_a_campaign_can_name_every_profile() -> None:
    assert schema("campaign.1")["properties"]["devices"]["items"]["enum"] == list(DEVICES)
    assert schema("campaign.1")["properties"]["processor_slowdown"]["default"] == PHONE.processor_slowdown


def test_a_desktop_has_the_page_that_it_is_given_and_a_phone_its_own() -> None:
    assert DESKTOP.page(SIZE) == SIZE
    assert PHONE.page(SIZE) == Viewport(412, 823)


def test_a_film_has_the_devices_pixels_in_even_numbers() -> None:
    assert DESKTOP.film(SIZE) == DESKTOP.window(SIZE) == SIZE
    phone = PHONE.page(SIZE)
    assert (PHONE.film(phone), PHONE.window(phone)) == (Viewport(720, 1440), Viewport(721, 1441))


def test_a_profile_says_in_words_what_makes_it_differ_from_a_desktop() -> None:
    assert DESKTOP.words == "desktop"
    assert PHONE.words == "phone: 1.75 device pixels per CSS pixel, touch, processor slowed by 4"


def test_each_site_of_a_campaign_is_captured_on_each_device_under_a_name_of_its_own() -> None:
    campaign = made.campaign(devices=["desktop", "phone"], processor_slowdown=6)
    site = campaign.sites[0].name
    assert campaign.viewport_of(site) == campaign.viewport
    assert campaign.viewport_of(f"{site}-phone") == Viewport(412, 823)
    assert campaign.devices == (DESKTOP, replace(PHONE, processor_slowdown=6))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"processor_slowdown": 2}, "processor_slowdown applies to phones, but devices names none"),
        ({"devices": ["phone"], "viewport": SIZE.as_json()}, "viewport is the size of a page on a desktop"),
        ({"devices": ["phone"], "sites": [{"name": "a" * 60, "recording": "a.warc.gz"}]}, "longer than 64 characters"),
        (
            {
                "devices": ["desktop", "phone"],
                "sites": [{"name": name, "recording": "a.warc.gz"} for name in ("a", "a-phone")],
            },
            "two sites are named 'a-phone'",
        ),
    ],
)
def test_a_campaign_whose_devices_contradict_it_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        made.campaign(**changes)


def test_a_take_on_a_desktop_is_written_as_before_there_were_devices() -> None:
    take = replace(made.take(RUN), device=recorded_as(DESKTOP))
    assert "device" not in take.as_json()
    assert (device_of(take.device), take.film_size) == (DESKTOP, SIZE)


@pytest.mark.parametrize("slowdown", [4, 2.5])
def test_a_take_on_a_phone_says_so_and_is_filmed_in_its_pixels(slowdown: float) -> None:
    device = replace(PHONE, processor_slowdown=slowdown)
    value = made.take_value(RUN, viewport=PHONE.page(SIZE).as_json(), device=device.as_json())
    take = Take.of(value)
    assert value["device"] == {"name": "phone", "pixel_ratio": 1.75, "processor_slowdown": slowdown}
    assert (recorded_as(device_of(take.device)), take.film_size) == (device, Viewport(720, 1440))
    assert take.digest != made.take(RUN).digest
