"""Device profiles: what a page is loaded on, by the name that a campaign gives. Pure.

A desktop's page has the size that the campaign or a command names. Every other profile has its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from eyelevel_core.model.record import Record


@dataclass(frozen=True)
class Viewport(Record):
    """The size of a page in CSS pixels, or of a film in its own."""

    width_px: int
    height_px: int


@dataclass(frozen=True)
class Device(Record):
    """A profile as a take records it. `pixel_ratio`: device pixels per CSS pixel, which the film has.

    `processor_slowdown`: so many times longer the main thread of a page takes than on the machine itself.
    """

    name: str
    pixel_ratio: float
    processor_slowdown: float

    def page(self, desktop: Viewport) -> Viewport:
        """The size of a page on it, where `desktop` is that of a page on a desktop."""
        return PAGES.get(self.name, desktop)

    def film(self, page: Viewport) -> Viewport:
        """The size of the film of such a page. Video has even sizes, so less than two pixels are cut off."""
        return Viewport(self._even(page.width_px), self._even(page.height_px))

    def window(self, page: Viewport) -> Viewport:
        """The device pixels that such a page needs."""
        return Viewport(ceil(page.width_px * self.pixel_ratio), ceil(page.height_px * self.pixel_ratio))

    def _even(self, css_px: int) -> int:
        return int(css_px * self.pixel_ratio) // 2 * 2

    @property
    def words(self) -> str:
        """The profile for people, without its page's size."""
        if self.name == DESKTOP.name:
            return self.name
        return (
            f"{self.name}: {self.pixel_ratio:g} device pixels per CSS pixel, touch, processor slowed by "
            f"{self.processor_slowdown:g}"
        )


DESKTOP = Device("desktop", 1, 1)
# Lighthouse's emulated phone (core/config/constants.js: MOTOGPOWER_EMULATION_METRICS, mobileSlow4G): its screen, and
# its factor for the processor
PHONE = Device("phone", 1.75, 4)
PAGES: Mapping[str, Viewport] = {PHONE.name: Viewport(412, 823)}
DEVICES: Mapping[str, Device] = {device.name: device for device in (DESKTOP, PHONE)}


def device_of(recorded: Device | None) -> Device:
    """The device of a record, which leaves out a desktop."""
    return DESKTOP if recorded is None else recorded


def recorded_as(device: Device) -> Device | None:
    """The device as a record has it, which leaves out a desktop."""
    return None if device == DESKTOP else device
