"""Downloads the file with Chromium inside the testbed's client namespace; prints JSON on standard output.

python -m eyelevel_papers.download.inside WAY LIMIT_MS
"""

import json
import os
import shutil
import sys

from playwright.sync_api import Error, sync_playwright

from eyelevel.errors import Exit
from eyelevel.testbed.window import browser_arguments
from eyelevel_papers.download.file import FILE

# between page and download, so that the two are apart on the wire
REST_MS = 500
# from the request to the last byte, as a page sees it; the body is not kept
DOWNLOAD = """async (path) => {
  const began = performance.now();
  const reader = (await fetch(path, { cache: 'no-store' })).body.getReader();
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.byteLength;
  const ended = performance.now();
  await new Promise((done) => setTimeout(done, 100));
  const [entry] = performance.getEntriesByName(new URL(path, location.href).href);
  return {
    began_unix_ms: performance.timeOrigin + began, duration_ms: ended - began, body_bytes: bytes,
    protocol: entry?.nextHopProtocol || null,
  };
}"""


def main() -> int:
    way, limit_ms = sys.argv[1], float(sys.argv[2])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            chromium_sandbox=os.geteuid() != 0,
            args=browser_arguments(way),
        )
        page = browser.new_page()
        page.set_default_timeout(limit_ms)
        try:
            page.goto(os.environ["EYELEVEL_START_URL"], timeout=limit_ms)
            page.wait_for_timeout(REST_MS)
            report = page.evaluate(DOWNLOAD, FILE)
        except Error as error:
            sys.stderr.write(f"the download failed: {error.message.splitlines()[0]}\n")
            return Exit.FAILED
        browser.close()
    sys.stdout.write(json.dumps(report))
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main())
