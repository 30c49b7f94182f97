"""While a page loads, the kernel weighs the sessions: servers and film first, then the browser, then what can wait."""

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from eyelevel.capture.attempts.attempt import attempt
from eyelevel.loads.inside.autogroup import BEHIND, FIRST, USUAL, can_hold_back
from tests.capture.single import prepared
from tests.loads.needs import needs_testbed

PARTS = {
    "testbed": b"eyelevel-testbed\0run",
    "recorder": b"eyelevel-recorder\0record",
    "browser": b"--type=renderer",
    "worker": b"eyelevel.loads.inside",
    "watcher": b"eyelevel.measure.watch",
    "reader": b"eyelevel-recorder\0read\0",
}


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
@pytest.mark.skipif(not can_hold_back(), reason="this kernel does not weigh sessions")
def test_what_can_wait_comes_behind_the_browser_and_after_load(tmp_path: Path) -> None:
    context, run = prepared(tmp_path)
    seen: defaultdict[str, set[int]] = defaultdict(set)
    first_s: dict[str, float] = {}
    over = Event()
    looking = Thread(target=look, args=(str(tmp_path).encode(), seen, first_s, over))
    looking.start()
    try:
        with closing(context.worker):
            allowing = replace(context, campaign=replace(context.campaign, max_outside_share=1.0))
            attempt(allowing, run, 1, context.batch.take_folder(run))
    finally:
        over.set()
        looking.join()
    # a session has the kernel's weight for the moment until it is given its own, and the watcher hurries in the end
    wanted = {"testbed": FIRST, "recorder": FIRST, "browser": USUAL, "worker": USUAL, "watcher": BEHIND}
    assert {name: nice for name, nice in wanted.items() if nice not in seen[name]} == {}
    assert seen["browser"] == seen["worker"] == {USUAL}
    # by this program the watcher reads a film
    assert first_s["watcher"] < loaded_s(context.batch.take_folder(run)) <= first_s["reader"]


def loaded_s(folder: Path) -> float:
    """When the page's load event fired, since 1970."""
    (page,) = json.loads((folder / "page.har").read_text())["log"]["pages"]
    load_ms: float = page["pageTimings"]["onLoad"]
    return datetime.fromisoformat(page["startedDateTime"]).timestamp() + load_ms / 1000


def look(folder: bytes, seen: Mapping[str, set[int]], first_s: dict[str, float], over: Event) -> None:
    """Note the weights of the parts' sessions, of processes that belong to this folder or descend from its worker.

    And when each part was first there.
    """
    while not over.is_set():
        lines, parents = {}, {}
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                lines[int(path.name)] = (path / "cmdline").read_bytes()
                parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        ours = {pid for pid, line in lines.items() if folder in line and PARTS["worker"] in line}
        while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
            ours |= more
        for pid in ours:
            # the worker is told the watcher's command
            names = [name for name, words in PARTS.items() if words in lines.get(pid, b"")]
            name = "worker" if "worker" in names else next(iter(names), None)
            with suppress(OSError, ValueError):
                if name is not None:
                    first_s.setdefault(name, time.time())
                    seen[name].add(int(Path(f"/proc/{pid}/autogroup").read_text().split()[-1]))
        time.sleep(0.05)
