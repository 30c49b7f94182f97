"""Inside the testbed's client namespace: Lighthouse 6.0.0 loads the page once.

lighthouse6_inside.py FOLDER FORM THROTTLING, with FORM mobile or desktop, THROTTLING none or devtools
"""

import json
import os
import shutil
import sys
from pathlib import Path

from eyelevel.capture.inside.browser import arguments
from eyelevel.capture.stacks import stacks
from eyelevel.replay.binary import find_testbed

SCRIPT = Path(__file__).with_name("lighthouse6") / "audit.js"
WIDTH_PX, HEIGHT_PX = 1280, 720
# nobody else listens in a fresh namespace
PORT = 9222


def main() -> None:
    folder, form, throttling = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    given = arguments(
        way=stacks(find_testbed())[os.environ["EYELEVEL_STACK"]].way,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        resolver_rules=os.environ["EYELEVEL_RESOLVER_RULES"],
        spki=os.environ["EYELEVEL_SPKI"],
        profile=folder / "profile",
        is_root=os.geteuid() == 0,
    )
    # version 6 talks over a port
    own = ["--headless=new", f"--remote-debugging-port={PORT}"]
    asked = {
        "chromium": shutil.which("chromium"),
        "args": [*own, *(one for one in given if one != "--remote-debugging-pipe")],
        "port": PORT,
        "url": os.environ["EYELEVEL_START_URL"],
        "folder": str(folder),
        "form": form,
        "throttling": throttling,
    }
    os.execvp("node", ["node", str(SCRIPT), json.dumps(asked)])  # noqa: S606 - it is to take our place


if __name__ == "__main__":
    main()
