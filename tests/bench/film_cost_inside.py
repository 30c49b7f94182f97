"""Inside the testbed's client namespace: one page load, with or without a film; its PLT as JSON on stdout.

film_cost_inside.py FOLDER FRAME_RATE, a frame rate of 0 being no film.
"""

import asyncio
import json
import os
import shutil
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from eyelevel.capture.inside import browser
from eyelevel.capture.inside.display import display
from eyelevel.capture.inside.film import film
from eyelevel.capture.inside.scratch import PLACE, make_scratch
from eyelevel.capture.stacks import stacks
from eyelevel.replay.binary import find_testbed

SIZE = {"width_px": 1280, "height_px": 720}
LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventStart"
# the lead of a real run: the browser has come to rest, the film is well under way
REST_S = 1.0


async def measure(folder: Path, frame_rate: int) -> float:
    profile = Path(PLACE) / "profile"
    given = browser.arguments(
        way=stacks(find_testbed())[os.environ["EYELEVEL_STACK"]].way,
        resolver_rules=os.environ["EYELEVEL_RESOLVER_RULES"],
        spki=os.environ["EYELEVEL_SPKI"],
        profile=profile,
        is_root=browser.running_as_root(),
        **SIZE,
    )
    await make_scratch()
    async with AsyncExitStack() as stack:
        drive = await stack.enter_async_context(browser.driver())
        screen = await stack.enter_async_context(display(**SIZE))
        running = None
        if frame_rate:
            watch = [sys.executable, "-m", "eyelevel.measure.watch", "1280", "720", str(folder / "histograms.bin")]
            shot = film(
                screen,
                frame_rate=frame_rate,
                path=folder / "film.mkv",
                watch=watch,
                on_frame=lambda frame, differs: None,
                **SIZE,
            )
            running = await stack.enter_async_context(shot)
        executable = shutil.which("chromium") or "chromium"
        context = await stack.enter_async_context(
            browser.browser(drive, executable, given, screen=screen, profile=profile, keep=False)
        )
        page = context.pages[0]
        await asyncio.sleep(REST_S)
        await page.goto(os.environ["EYELEVEL_START_URL"], wait_until="load")
        plt_ms = float(await page.evaluate(LOADED))
        if running is not None:
            await running.stop()
        return plt_ms


if __name__ == "__main__":
    print(json.dumps({"plt_ms": asyncio.run(measure(Path(sys.argv[1]), int(sys.argv[2])))}))
