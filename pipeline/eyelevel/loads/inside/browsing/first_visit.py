"""Makes the first of two visits in one browser, then empties the HTTP cache and closes all connections.

TLS sessions, cookies and storage stay in the browser's memory.
"""

import asyncio
from collections.abc import Collection
from time import time

from playwright.async_api import BrowserContext, Error, Page

from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.loads.inside.browsing.traffic import Traffic
from eyelevel.loads.inside.request import Cause, VoidError

# interval of checks whether the network rests
LOOK_S = 0.05
CLOSE = "chrome.benchmarking.closeConnections()"


async def visit(
    context: BrowserContext,
    url: str,
    *,
    quiet_ms: float,
    limit_s: float,
    farewell_s: float,
    not_painting: Collection[str],
) -> None:
    """Loads the page, waits until its network has been quiet, empties the HTTP cache and closes all connections.

    `farewell_s` is the time for closed connections to reach the servers, and for packets on their way to arrive. Raises
    VoidError if the page does not load within `limit_s`, which also limits the wait for a quiet network.
    """
    page, settling = context.pages[0], Settling(quiet_ms, network_only=True)
    traffic = Traffic(context, settling, not_painting, _now_ms)
    try:
        await _load(page, url, settling, limit_s)
    except Error as error:
        words = f"the earlier visit did not load: {error.message.splitlines()[0]}"
        raise VoidError(Cause.CACHE_NOT_FILLED, words) from error
    finally:
        traffic.stop()
    # otherwise the page would connect again
    await page.goto("about:blank")
    asking = await context.new_cdp_session(page)
    await asking.send("Network.clearBrowserCache")
    await asking.detach()
    await page.evaluate(CLOSE)
    await asyncio.sleep(farewell_s)


async def _load(page: Page, url: str, settling: Settling, limit_s: float) -> None:
    until_ms = _now_ms() + 1000 * limit_s
    try:
        async with asyncio.timeout(limit_s):
            await page.goto(url, wait_until="load", timeout=0)
    except TimeoutError as error:
        words = f"the earlier visit did not load within {limit_s:g} s"
        raise VoidError(Cause.CACHE_NOT_FILLED, words) from error
    settling.loaded(_now_ms())
    while settling.settled_at_ms(now_ms := _now_ms()) is None and now_ms < until_ms:
        await asyncio.sleep(LOOK_S)


def _now_ms() -> float:
    return time() * 1000
