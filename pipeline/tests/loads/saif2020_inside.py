"""Inside the testbed's client namespace: loads the page, and prints what Lighthouse would count of it, as JSON.

saif2020_inside.py WAY FOLDER
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from eyelevel.loads.inside.browsing.chromium import arguments
from eyelevel.loads.inside.browsing.observer import OBSERVER, QUESTION

WIDTH_PX, HEIGHT_PX = 1280, 720
AFTER_MS = 1500
# descendants of body; depth with body as 1; pictures as decoded
COUNTED = """async () => {
  const depth = (one) => one === document.body ? 1 : 1 + depth(one.parentElement);
  const all = [...document.body.querySelectorAll('*')];
  const decoded = [];
  for (const one of document.images) {
    await one.decode();
    decoded.push([one.naturalWidth, one.naturalHeight]);
  }
  const fonts = [...document.fonts].map((one) => one.status);
  return { elements: all.length, depth: Math.max(...all.map(depth)), decoded, fonts };
}"""


def main() -> None:
    way, folder = sys.argv[1], Path(sys.argv[2])
    given = arguments(
        way=way,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        resolver_rules=os.environ["EYELEVEL_RESOLVER_RULES"],
        spki=os.environ["EYELEVEL_SPKI"],
        profile=folder / "profile",
        is_root=os.geteuid() == 0,
    )
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=shutil.which("chromium"),
            headless=False,
            args=["--headless=new", *given],
            ignore_default_args=True,
            viewport={"width": WIDTH_PX, "height": HEIGHT_PX},
        )
        page = context.pages[0]
        page.add_init_script(OBSERVER)
        talk = context.new_cdp_session(page)
        responses: dict[str, dict[str, Any]] = {}
        lengths: dict[str, int] = {}
        talk.on("Network.responseReceived", lambda event: responses.update({event["requestId"]: event}))
        talk.on(
            "Network.loadingFinished", lambda event: lengths.update({event["requestId"]: event["encodedDataLength"]})
        )
        talk.send("Network.enable")
        page.goto(os.environ["EYELEVEL_START_URL"], wait_until="load")
        page.wait_for_timeout(AFTER_MS)
        found = page.evaluate(COUNTED) | {"answer": page.evaluate(QUESTION)}
        found["requests"] = [
            {
                "url": response["response"]["url"],
                "type": response["type"],
                "protocol": response["response"]["protocol"],
                "bytes": lengths[number],
            }
            for number, response in responses.items()
            if not response["response"]["url"].startswith("data:")
        ]
        context.close()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
