"""Inside the testbed's client namespace: Browsertime loads and films the page, as our capture would.

browsertime_inside.py FOLDER RUNS FRAME_RATE WAIT_MS [OPTION...], options being Browsertime's own
"""

import os
import shutil
import sys
from pathlib import Path

import peer

from eyelevel.built import find_testbed
from eyelevel.stacks import stacks
from eyelevel.ways import WAYS

WIDTH_PX, HEIGHT_PX = 1280, 720
# polled; performance.now() counts from navigation start, as the event does
SETTLED = """
const entry = performance.getEntriesByType("navigation")[0];
return Boolean(entry && entry.loadEventEnd > 0 && performance.now() > entry.loadEventEnd + %s);
"""


def main() -> None:
    folder, runs, frame_rate, wait_ms, *options = Path(sys.argv[1]), *sys.argv[2:]
    folder.mkdir()
    settled = folder / "settled.js"
    settled.write_text(SETTLED % wait_ms)
    chromium = [
        *WAYS[stacks(find_testbed())[os.environ["EYELEVEL_STACK"]].way].arguments,
        f"--host-resolver-rules={os.environ['EYELEVEL_RESOLVER_RULES']}",
        f"--ignore-certificate-errors-spki-list={os.environ['EYELEVEL_SPKI']}",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ]
    command = [
        "node", str(peer.PROGRAM), "--browser", "chrome", "--iterations", runs, "--xvfb", "--video", "--visualMetrics",
        "--viewPort", f"{WIDTH_PX}x{HEIGHT_PX}", "--videoParams.framerate", frame_rate,
        "--chrome.binaryPath", str(shutil.which("chromium")), "--chrome.chromedriverPath", peer.chromedriver(),
        *(f"--chrome.args={argument}" for argument in chromium),
        "--pageCompleteCheck", str(settled),
        "--pageCompleteCheckStartWait", "500", "--pageCompleteCheckPollTimeout", "100",
        *options, "--resultDir", str(folder), os.environ["EYELEVEL_START_URL"],
    ]  # fmt: skip
    os.execvpe("node", command, {**os.environ, "PYTHON": str(peer.PYTHON)})  # noqa: S606 - it is to take our place


if __name__ == "__main__":
    main()
