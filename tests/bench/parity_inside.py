"""Inside the testbed's client namespace: downloads on a warm connection, as JSON on stdout.

By path: `times_ms`; `busy`, by thread the share of a processor used meanwhile; and `lost`, the UDP packets that came
and that the browser's socket had no room for, since the browser was not given a processor in time.

`parity_inside.py WAY DOWNLOADS PATH...`
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import busy as busy_of
from playwright.async_api import async_playwright

from eyelevel.loads.inside.browsing.chromium import arguments
from eyelevel.ways import WAYS

NETWORK_SERVICE = "--utility-sub-type=network.mojom.NetworkService"
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


def lost_at_sockets() -> int:
    """UDP packets of this namespace that came and found their socket's buffer full."""
    names, values = (line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if "Udp:" in line)
    return int(values[names.index("RcvbufErrors")])


async def measure(way: str, downloads: int, paths: list[str], folder: Path) -> dict[str, dict[str, Any]]:
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
        times, busy, lost = {}, {}, {}
        programs = {
            "testbed": busy_of.parent_named("eyelevel-testbed"),
            "browser's network": busy_of.here_with(NETWORK_SERVICE),
        }
        for path in paths:
            lost_before = lost_at_sockets()
            before, began = {name: busy_of.seconds(pid) for name, pid in programs.items()}, time.perf_counter()
            measured = await page.evaluate(DOWNLOAD, [path, downloads])
            wrong = [size for _, size in measured if size != int(path.lstrip("/"))]
            if wrong:
                raise SystemExit(f"{path} came with {wrong[0]} bytes.")
            times[path] = [ms for ms, _ in measured]
            lost[path] = lost_at_sockets() - lost_before
            wall_s = time.perf_counter() - began
            busy[path] = {
                f"{name}: {thread}": (after - before[name].get(thread, 0.0)) / wall_s
                for name, pid in programs.items()
                for thread, after in busy_of.seconds(pid).items()
            }
        protocols = set(await page.evaluate(PROTOCOLS))
        await context.close()
    if not protocols <= set(WAYS[way].protocols):
        raise SystemExit(f"Downloads came over {', '.join(sorted(protocols))}.")
    return {"times_ms": times, "busy": busy, "lost": lost}


def main() -> None:
    way, downloads, *paths = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(way, int(downloads), paths, Path(folder)))))


if __name__ == "__main__":
    main()
