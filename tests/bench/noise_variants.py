"""What is switched in an experiment on noise: one component of a capture at a time, all else as a campaign has it."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.built import TESTBED
from eyelevel.capture.inside import autogroup

FIRST, *OTHERS = sorted(os.sched_getaffinity(0))
APART = ",".join(map(str, OTHERS or [FIRST]))
# a thread may sleep 50 us longer than it asked for, unless it says otherwise
SLACK = "import ctypes, os, sys; ctypes.CDLL(None).prctl(29, 1); os.execvp(sys.argv[1], sys.argv[1:])"
AS_IT_IS = "as it is"


@dataclass(frozen=True)
class Variant:
    """`options` are lines of the campaign; `network` takes the place of the network's own definition, field by field.

    `browser`, `testbed` and `capture` go before the command lines of Chromium, the testbed (with servers, emulation and
    screen) and the whole capture. `load` is a planted program's share of one processor. `weights`: whether the kernel
    weighs sessions.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    network: Mapping[str, str] = field(default_factory=dict)
    browser: Sequence[str] = ()
    testbed: Sequence[str] = ()
    capture: Sequence[str] = ()
    weights: bool = True
    load: float = 0.0


PINNED_BROWSER, PINNED_REST = ["taskset", "-c", APART], ["taskset", "-c", str(FIRST)]
VARIANTS: Mapping[str, Variant] = {
    AS_IT_IS: Variant(),
    # the instrument
    "no prelaunch": Variant({"prelaunch": "false"}),
    # emulation
    "no rate, no queue": Variant(network={"up_mbps": '"unlimited"', "down_mbps": '"unlimited"', "queue_ms": ""}),
    "no network": Variant(
        network={"up_mbps": '"unlimited"', "down_mbps": '"unlimited"', "queue_ms": "", "rtt_ms": "0", "loss": "0"}
    ),
    # servers
    "round robin": Variant({"scheduler": '"round-robin"'}),
    # Chromium: almost nothing comes over the network
    "warm cache": Variant({"cache": '["http"]'}),
    # affinity
    "browser apart": Variant(browser=PINNED_BROWSER, capture=PINNED_REST),
    "testbed apart": Variant(testbed=PINNED_REST, browser=PINNED_BROWSER),
    # priorities
    "no weights": Variant({"prelaunch": "false"}, weights=False),
    # without the right, servers and emulation run as all else does
    "nothing in real time": Variant(testbed=["setpriv", "--inh-caps=-sys_nice", "--bounding-set=-sys_nice"]),
    "no timer slack": Variant(testbed=[sys.executable, "-c", SLACK], browser=[sys.executable, "-c", SLACK]),
    # others: what the bound of M6 does about them
    "others take 10 % of a processor": Variant(load=0.1),
    "others take 20 % of a processor": Variant(load=0.2),
    "others take 50 % of a processor": Variant(load=0.5),
}
# a planted program works for so long at a time
BURST_S = 0.01
BURN = f"""
import sys, time
share = float(sys.argv[1])
while True:
    until = time.perf_counter() + {BURST_S} * share
    while time.perf_counter() < until: pass
    time.sleep({BURST_S} * (1 - share))
"""


@contextmanager
def switched(variant: Variant, folder: Path) -> Iterator[tuple[list[str], dict[str, str]]]:
    """What goes before the command line of a capture, and its environment, while the variant is in force."""
    folder.mkdir()
    environment = dict(os.environ)
    if variant.browser:
        real = shutil.which("chromium")
        _wrapper(folder / "chromium", [*variant.browser, str(real)])
        environment["PATH"] = f"{folder}:{environment['PATH']}"
    if variant.testbed:
        environment[TESTBED.variable] = str(_wrapper(folder / TESTBED.name, [*variant.testbed, str(TESTBED.find())]))
    with ExitStack() as ending:
        if not variant.weights and autogroup.SWITCH.exists():
            ending.callback(autogroup.SWITCH.write_text, autogroup.SWITCH.read_text())
            autogroup.SWITCH.write_text("0")
        if variant.load:
            ending.enter_context(_planted(variant.load))
        yield list(variant.capture), environment


def _wrapper(path: Path, command: Sequence[str]) -> Path:
    path.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    path.chmod(0o755)
    return path


@contextmanager
def _planted(share: float) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", BURN, str(share)], start_new_session=True)
    try:
        yield
    finally:
        process.kill()
        process.wait()
