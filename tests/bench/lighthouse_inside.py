"""Inside the testbed's client namespace: Lighthouse loads the page, and our observer looks at the same load.

lighthouse_inside.py FOLDER SEED START_MS
"""

import json
import os
import shutil
import sys
from pathlib import Path

from eyelevel.built import find_testbed
from eyelevel.loads.inside.browsing.chromium import arguments
from eyelevel.loads.inside.browsing.observer import COMMITTED, QUESTION
from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.stacks import stacks
from eyelevel.ways import WAYS

SCRIPT = Path(__file__).with_name("lighthouse") / "observe.js"
WIDTH_PX, HEIGHT_PX = 1280, 720
LIMIT_MS = 45_000


def main() -> None:
    folder, seed, start_ms = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    way = stacks(find_testbed())[os.environ["EYELEVEL_STACK"]].way
    assert way in WAYS
    given = arguments(
        way=way,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        resolver_rules=os.environ["EYELEVEL_RESOLVER_RULES"],
        spki=os.environ["EYELEVEL_SPKI"],
        profile=folder / "profile",
        is_root=os.geteuid() == 0,
    )
    asked = {
        "chromium": shutil.which("chromium"),
        # nobody films this load
        "args": ["--headless=new", *given],
        "url": os.environ["EYELEVEL_START_URL"],
        "script": page_script(seed=seed, start_ms=start_ms),
        "committed": COMMITTED,
        "question": QUESTION,
        "limit_ms": LIMIT_MS,
    }
    os.execvp("node", ["node", str(SCRIPT), json.dumps(asked)])  # noqa: S606 - it is to take our place


if __name__ == "__main__":
    main()
