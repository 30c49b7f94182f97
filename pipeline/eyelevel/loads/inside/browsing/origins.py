"""Time origin and first byte of the document that a page navigates to, reported before the document's own scripts run.

A document that reloads at once, for example to set a cookie, is replaced before the driver can query it.
"""

import asyncio
import json
from contextlib import suppress
from typing import TypedDict

from playwright.async_api import BrowserContext, CDPSession, Error, Page

# milliseconds since 1970, and since then
Origin = tuple[float, float]
# name of the function that the browser adds to each document; the script removes it before the page's scripts run
TELL = "eyelevelOrigin"
# part of the page script; only the page's top document reports it
ORIGIN = f"""(() => {{
  const tell = globalThis.{TELL};
  delete globalThis.{TELL};
  if (globalThis.top !== globalThis || typeof tell !== "function") return;
  tell(JSON.stringify([performance.timeOrigin, performance.getEntriesByType("navigation")[0]?.responseStart ?? 0]));
}})();
"""


class BindingCalled(TypedDict):
    """The event `Runtime.bindingCalled` of the DevTools protocol."""

    name: str
    payload: str


class Origins:
    """Listens for origins; `first` is that of the first document since `watch`, None if the browser reported none."""

    def __init__(self) -> None:
        self.first: Origin | None = None
        self._ending: asyncio.Task[None] | None = None

    async def watch(self, context: BrowserContext, page: Page) -> None:
        """Listens until the next document has reported; later, the session would receive all that the page logs."""
        with suppress(Error):
            session = await context.new_cdp_session(page)
            session.on("Runtime.bindingCalled", lambda event: self._keep(event, session))
            await session.send("Runtime.enable")  # else later documents do not have the function
            await session.send("Runtime.addBinding", {"name": TELL})

    def _keep(self, event: BindingCalled, session: CDPSession) -> None:
        if event["name"] == TELL and self.first is None:
            zero_ms, first_byte_ms = json.loads(event["payload"])
            self.first = float(zero_ms), float(first_byte_ms)
            self._ending = asyncio.create_task(_end(session))


async def _end(session: CDPSession) -> None:
    with suppress(Error):  # the page has closed already
        await session.detach()
