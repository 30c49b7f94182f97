"""Inside the testbed's client namespace: one navigation, and when its first byte came; JSON on stdout."""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from eyelevel.loads.inside.browsing.chromium import arguments
from eyelevel.ways import WAYS

WIDTH_PX, HEIGHT_PX = 1280, 720
TIMING = "() => performance.getEntriesByType('navigation')[0].toJSON()"


async def measure(way: str, folder: Path) -> dict[str, object]:
    given = arguments(
        way=way,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        resolver_rules=os.environ["EYELEVEL_RESOLVER_RULES"],
        spki=os.environ["EYELEVEL_SPKI"],
        profile=folder / "profile",
        is_root=os.geteuid() == 0,
    )
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=shutil.which("chromium"),
            headless=False,
            args=["--headless=new", *given],
            ignore_default_args=True,
            no_viewport=True,
        )
        page = context.pages[0]
        await page.goto(os.environ["EYELEVEL_START_URL"], wait_until="load")
        timing = await page.evaluate(TIMING)
        await context.close()
    return {"first_byte_ms": timing["responseStart"], "protocol": timing["nextHopProtocol"]}


def main() -> None:
    way = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        measured = asyncio.run(measure(way, Path(folder)))
    expected = WAYS[way].protocols
    if measured["protocol"] not in expected:
        raise SystemExit(f"The page came over {measured['protocol']}, not over {' or '.join(expected)}.")
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
