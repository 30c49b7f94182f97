"""Device emulation in Chromium: screen, touch, user agent with client hints, and a slower processor. Pure.

It uses the DevTools protocol, which reaches the page, its frames and their workers only if all are in one process. For
this reason site isolation is off on such a device, as it is on phones.
"""

from io import BytesIO

from PIL import Image

from eyelevel_core.model.device import DESKTOP, Device, Viewport

# frames of other sites share the page's process, as on phones, where Chromium isolates only sites with passwords
ONE_PROCESS = "--disable-site-isolation-trials"
TOUCHES = 5
# as Lighthouse's phone (core/config/constants.js); the browser adds brands and versions
METADATA = {
    "platform": "Android",
    "platformVersion": "11.0.0",
    "architecture": "",
    "model": "moto g power (2022)",
    "mobile": True,
    "bitness": "",
    "wow64": False,
    "formFactors": ["Mobile"],
}
# a method of the protocol, and its parameters
Command = tuple[str, dict[str, object]]


def user_agent(version: str) -> str:
    """Returns the user agent of Chromium of that version on a phone, in its reduced form."""
    major = version.partition(".")[0]
    return (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{major}.0.0.0 Mobile Safari/537.36"
    )


def commands(device: Device, page: Viewport, *, version: str) -> list[Command]:
    """Returns the commands that a session of the protocol must send before the page is loaded; none for a desktop.

    `page` is the page's size, `version` the browser's.
    """
    if device == DESKTOP:
        return []
    size = {"width": page.width_px, "height": page.height_px}
    screen = {"screenWidth": page.width_px, "screenHeight": page.height_px}
    upright = {"screenOrientation": {"type": "portraitPrimary", "angle": 0}}
    metrics = {**size, **screen, **upright, "deviceScaleFactor": device.pixel_ratio, "mobile": True}
    return [
        ("Emulation.setDeviceMetricsOverride", metrics),
        ("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": TOUCHES}),
        ("Emulation.setUserAgentOverride", {"userAgent": user_agent(version), "userAgentMetadata": METADATA}),
    ]


def slowing(device: Device) -> list[Command]:
    """Returns the commands that slow the page's main thread to the device's speed; none for a device without slowdown.

    They are sent last, because a slowed page uses a fifth of a processor even when it is idle.
    """
    if device.processor_slowdown == 1:
        return []
    return [("Emulation.setCPUThrottlingRate", {"rate": device.processor_slowdown})]


def as_filmed(screenshot: bytes, device: Device, page: Viewport) -> bytes:
    """Returns a screenshot (PNG) of such a page, cut to the size of its film."""
    if device == DESKTOP:
        return screenshot
    film, file = device.film(page), BytesIO()
    Image.open(BytesIO(screenshot), formats=("PNG",)).crop((0, 0, film.width_px, film.height_px)).save(file, "PNG")
    return file.getvalue()
