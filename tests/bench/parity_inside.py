"""Inside the testbed's client namespace: downloads on a warm connection; milliseconds by path as JSON on stdout.

`parity_inside.py WAY DOWNLOADS PATH...`
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from eyelevel.capture.inside.browser import WAYS, arguments

# From asking to the last byte, as a page sees it; the first download of each path is not counted.
DOWNLOAD = """async ([path, downloads]) => {
  const times = [];
  for (let count = 0; count <= downloads; count += 1) {
    const began = performance.now();
    const body = await (await fetch(path, {cache: 'no-store'})).arrayBuffer();
    times.push([performance.now() - began, body.byteLength]);
  }
  return times.slice(1);
}"""
PROTOCOLS = "() => performance.getEntriesByType('resource').map((entry) => entry.nextHopProtocol)"


async def measure(way: str, downloads: int, paths: list[str], folder: Path) -> dict[str, list[float]]:
    given = arguments(
        way=way,
        width_px=640,
        height_px=480,
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
        times = {}
        for path in paths:
            measured = await page.evaluate(DOWNLOAD, [path, downloads])
            wrong = [size for _, size in measured if size != int(path.lstrip("/"))]
            if wrong:
                raise SystemExit(f"{path} came with {wrong[0]} bytes.")
            times[path] = [ms for ms, _ in measured]
        protocols = set(await page.evaluate(PROTOCOLS))
        await context.close()
    if not protocols <= set(WAYS[way].protocols):
        raise SystemExit(f"Downloads came over {', '.join(sorted(protocols))}.")
    return times


def main() -> None:
    way, downloads, *paths = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(way, int(downloads), paths, Path(folder)))))


if __name__ == "__main__":
    main()
