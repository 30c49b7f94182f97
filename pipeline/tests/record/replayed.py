"""Inside the testbed's client namespace: loads the page as a capture does, with the recording's seed and date.

replayed.py RECORDING prints the title of the page once its network is quiet.
"""

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error, Worker, sync_playwright

from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.own_traffic import OWN_TRAFFIC_OFF
from eyelevel.recording import chance_seed, recorded_at_ms


def main() -> None:
    recording = Path(sys.argv[1])
    seed = chance_seed(recording)
    assert seed is not None
    script = page_script(seed=seed, start_ms=recorded_at_ms(recording))
    arguments = [
        *OWN_TRAFFIC_OFF,
        "--disable-quic",
        f"--host-resolver-rules={os.environ['EYELEVEL_RESOLVER_RULES']}",
        f"--ignore-certificate-errors-spki-list={os.environ['EYELEVEL_SPKI']}",
    ]

    def pin(worker: Worker) -> None:
        with suppress(Error):
            worker.evaluate(script)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0, args=arguments
        )
        context = browser.new_context(viewport={"width": 1280, "height": 720}, timezone_id="UTC", locale="en-US")
        context.add_init_script(script)
        page = context.new_page()
        page.on("worker", pin)
        page.goto(os.environ["EYELEVEL_START_URL"], wait_until="networkidle")
        sys.stdout.write(page.title())
        browser.close()


if __name__ == "__main__":
    main()
