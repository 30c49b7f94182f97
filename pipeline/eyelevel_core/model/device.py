"""Device profiles: the devices on which pages are loaded, by the name in a campaign. Pure.

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
    """A profile as a take records it. `pixel_ratio`: device pixels, in which it is filmed, per CSS pixel.

    `processor_slowdown`: the factor by which the main thread of a page is slower than on the machine itself.
    """

    name: str
    pixel_ratio: float
    processor_slowdown: float

    def page(self, desktop: Viewport) -> Viewport:
        """Returns the size of a page on this device; `desktop` is that of a page on a desktop."""
        return PAGES.get(self.name, desktop)

    def film(self, page: Viewport) -> Viewport:
        """Returns the size of the film of such a page. Video has even sizes, so less than two pixels are cut off."""
        return Viewport(self._even(page.width_px), self._even(page.height_px))

    def window(self, page: Viewport) -> Viewport:
        """Returns the size of such a page in device pixels."""
        return Viewport(ceil(page.width_px * self.pixel_ratio), ceil(page.height_px * self.pixel_ratio))

    def _even(self, css_px: int) -> int:
        return int(css_px * self.pixel_ratio) // 2 * 2

    @property
    def words(self) -> str:
        """Describes the profile, without the size of its page."""
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
    """Returns the device of a record, in which a desktop is omitted."""
    return DESKTOP if recorded is None else recorded


def recorded_as(device: Device) -> Device | None:
    """Returns the device for a record, in which a desktop is omitted."""
    return None if device == DESKTOP else device
