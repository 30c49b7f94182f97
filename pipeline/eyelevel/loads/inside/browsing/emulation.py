"""Makes Chromium behave as a device: screen, touch, user agent with client hints, and a slower processor.

Through the DevTools protocol. It reaches the page, its frames and their workers only where all of these are in one
process; so Chromium isolates no sites on such a device (see chromium.py), as it does on phones.
"""

from typing import Any

from playwright.async_api import BrowserContext, Page

from eyelevel_core.model.device import DESKTOP, Device, Viewport

TOUCHES = 5
# As Lighthouse's phone (core/config/constants.js), and in the form to which Chromium reduces user agents on Android.
# What it lacks (brands and versions) the browser fills in by itself.
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


def user_agent(product: str) -> str:
    """A phone's user agent of the browser whose product is given, such as Chrome/156.0.8078.108."""
    version = product.partition("/")[2].partition(".")[0]
    return (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{version}.0.0.0 Mobile Safari/537.36"
    )


async def emulate(context: BrowserContext, page: Page, device: Device, viewport: Viewport) -> None:
    """Until the page ends; a page on a desktop stays as it is."""
    if device == DESKTOP:
        return
    session = await context.new_cdp_session(page)
    agent = user_agent((await session.send("Browser.getVersion"))["product"])
    for method, parameters in _commands(device, viewport, agent).items():
        await session.send(f"Emulation.{method}", parameters)


def _commands(device: Device, viewport: Viewport, agent: str) -> dict[str, dict[str, Any]]:
    size = {"width": viewport.width_px, "height": viewport.height_px}
    screen = {"screenWidth": viewport.width_px, "screenHeight": viewport.height_px}
    orientation = {"type": "portraitPrimary", "angle": 0}
    return {
        "setDeviceMetricsOverride": {
            **size, **screen, "deviceScaleFactor": device.pixel_ratio, "mobile": True, "screenOrientation": orientation,
        },
        "setTouchEmulationEnabled": {"enabled": True, "maxTouchPoints": TOUCHES},
        "setUserAgentOverride": {"userAgent": agent, "userAgentMetadata": METADATA},
        "setCPUThrottlingRate": {"rate": device.processor_slowdown},
    }  # fmt: skip
