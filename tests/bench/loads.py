"""One page load, set up as a campaign's runs are, with or without its film.

The watcher, which computes a film's metrics, begins after load and is left out.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path

from playwright.async_api import async_playwright

import testbed
from eyelevel.built import find_testbed
from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.browsing import chromium as browser
from eyelevel.loads.inside.filming.film import film
from eyelevel.loads.inside.sandbox import PLACE, holding, sandbox
from eyelevel.stacks import stacks
from eyelevel_core.model.device import DESKTOP, Device, Viewport

PAGE = Viewport(1280, 720)
LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventStart"
# the lead of a real run: the browser has come to rest, the film is well under way
REST_S = 1.0
LIMIT_S = 90


def plt_ms(
    stack: str,
    asked: Sequence[str],
    *,
    seed: int,
    filmed: bool,
    rest_s: float = REST_S,
    device: Device = DESKTOP,
) -> float:
    """PLT of one load; `asked` says recording and network, as options of the testbed. Void loads are repeated.

    `rest_s` is how long the browser has been there before it navigates.
    """

    def once(command: Sequence[str]) -> float:
        with tempfile.TemporaryDirectory() as folder:
            load = _load(command, stack, Path(folder), filmed=filmed, rest_s=rest_s, device=device)
            return asyncio.run(asyncio.wait_for(load, LIMIT_S))

    window = device.window(device.page(PAGE))
    return testbed.valid(stack, holding(window.width_px, window.height_px), asked, once, seed=seed)


async def _load(
    command: Sequence[str], stack: str, folder: Path, *, filmed: bool, rest_s: float, device: Device
) -> float:
    viewport = device.page(PAGE)
    size = device.film(viewport)
    async with AsyncExitStack() as opened:
        enter = opened.enter_async_context
        drive = await enter(async_playwright())
        place = await enter(sandbox(command, log=folder / "talk.log", nice=autogroup.FIRST))
        profile = browser.Profile(PLACE / "profile", kept=folder / "none", keep=False)
        given = browser.arguments(
            way=stacks(find_testbed())[stack].way,
            resolver_rules=place.resolver_rules,
            spki=place.spki,
            profile=profile.path,
            is_root=True,
            width_px=viewport.width_px,
            height_px=viewport.height_px,
            device=device,
        )
        context = await enter(
            browser.browser(drive, place, given, folder=folder, profile=profile, nice=autogroup.USUAL)
        )
        await browser.emulate(context, device, viewport)
        shot = None
        if filmed:
            shot = await enter(
                film(
                    place.screen,
                    changes=folder / "changes",
                    on_change=lambda frame: None,
                    enter=place.enter(bound=False),
                    width_px=size.width_px,
                    height_px=size.height_px,
                )
            )
        await asyncio.sleep(rest_s)
        await browser.slow_down(context, device)
        page = context.pages[0]
        with nullcontext() if shot is None else shot.held():
            await page.goto(place.start_url, wait_until="load")
            measured = float(await page.evaluate(LOADED))
        if shot is not None:
            await shot.stop()
    return measured
