"""A command inside the testbed, for benches: what it printed, once the wire was what the stack's label says."""

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from eyelevel.built import find_testbed
from eyelevel.capture.attempts.verdict import judge_wire
from eyelevel.loads.inside.request import VoidError
from eyelevel_core.model.wire import WireReport

REPOSITORY = Path(__file__).resolve().parents[2]
TRIES = 3
T = TypeVar("T")


def run(stack: str, inside: Sequence[str], asked: Sequence[str], *, seed: int = 1, limit_s: float = 120) -> str:
    """Runs `inside` over the stack; `asked` says recording and network. Tries again where the wire voids a run.

    SystemExit where the command fails, or each try is void.
    """

    def once(command: Sequence[str]) -> str:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, timeout=limit_s)
        if done.returncode != 0:
            raise SystemExit(f"The run over {stack} ended with status {done.returncode}; its own words stand above.")
        return done.stdout

    return valid(stack, inside, asked, once, seed=seed)


def valid(
    stack: str, inside: Sequence[str], asked: Sequence[str], once: Callable[[Sequence[str]], T], *, seed: int
) -> T:
    """What `once` makes of the testbed's command line with `inside` in it; tries again where the wire voids a run."""
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "wire.json"
            command = [str(find_testbed()), "run", "--stack", stack, *asked, "--seed", str(seed)]
            found = once([*command, "--report", str(report), "--", *inside])
            try:
                judge_wire(WireReport.of(json.loads(report.read_text())))
            except VoidError as void:
                print(f"  a run over {stack} is void: {void.detail}", flush=True)
                continue
            return found
    raise SystemExit(f"Each of {TRIES} runs over {stack} was void; their causes stand above.")


def fixture(site: str, network: str) -> list[str]:
    """The options for a site of the fixtures over a network of the table."""
    return ["--recording", str(REPOSITORY / "fixtures" / f"{site}.warc.gz"), "--network", network]
