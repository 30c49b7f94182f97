"""The command `eyelevel testbed browse`: opens a recording in Chromium, in the testbed."""

import json
import os
import shutil
import sys
from pathlib import Path

import click

from eyelevel.built import find_testbed
from eyelevel.errors import BadInputError, ToolMissingError
from eyelevel.recording import chance_seed, recorded_at_ms
from eyelevel.stacks import stacks
from eyelevel.volatile.beside import volatile_beside
from eyelevel_core.contracts import sha256_of_file

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("recording", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--stack", "stack_name", default="TCP+", show_default=True, help="Name of the protocol stack.")
@click.option(
    "--network", default="DSL", show_default=True, help="The emulated network: DSL, LTE, DA2GC, MSS or MSS-SLIDES."
)
@click.option("--seed", default=1, show_default=True, help="Random seed of packet loss and jitter.")
@click.option("--start-url", help="The page to load first.  [default: the first one recorded]")
@click.option(
    "--screenshot",
    metavar="FILE.png",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Load the page without a window, write its picture once it is quiet, and end.  [default: a window]",
)
def browse(
    *, recording: Path, stack_name: str, network: str, seed: int, start_url: str | None, screenshot: Path | None
) -> None:
    """Open a recording in Chromium, over a stack and an emulated network. Ends when the window is closed.

    If the recording stores a seed, the page gets the same random numbers as in captures. Volatile parameters are read
    from the file beside the recording (NAME.volatile.json), as in captures. Needs root, Chromium, and a display unless
    --screenshot is given.

    Exit status: 0 done, 2 an argument is wrong, 3 root or namespaces are missing, 4 the recording is wrong or there is
    no display, 5 a tool is missing, 7 the page did not load.

    Example: eyelevel testbed browse site.warc.gz --stack QUIC --network MSS --screenshot page.png
    """
    if screenshot is None and not any(os.environ.get(name) for name in DISPLAYS):
        raise BadInputError(
            "There is no display to open a window on (DISPLAY is not set); give --screenshot FILE.png for a picture of "
            "the page, or run the command on a desktop."
        )
    if screenshot is not None and not screenshot.parent.is_dir():
        raise BadInputError(f"The folder {screenshot.parent} of {screenshot.name} does not exist; create it first.")
    chromium = shutil.which("chromium")
    if chromium is None:
        raise ToolMissingError("chromium is missing; install it with: apt-get install chromium")
    testbed = find_testbed()
    known = stacks(testbed)
    if stack_name not in known:
        raise click.BadParameter(f"{stack_name!r} is not one of {', '.join(known)}.", param_hint="--stack")
    volatile = volatile_beside(recording, sha256_of_file(recording))
    asked = {
        "chromium": chromium,
        "way": known[stack_name].way,
        "seed": chance_seed(recording) or 0,
        "start_ms": recorded_at_ms(recording),
        "screenshot": None if screenshot is None else str(screenshot.resolve()),
    }
    command = [
        str(testbed), "run", "--recording", str(recording), "--stack", stack_name, "--network", network,
        "--seed", str(seed), *(["--start-url", start_url] if start_url else []),
        *(["--volatile", str(volatile)] if volatile else []),
        "--", sys.executable, "-m", "eyelevel.testbed.window", json.dumps(asked),
    ]  # fmt: skip
    # this process becomes the testbed, so that a signal to one ends the other
    os.execv(testbed, command)  # noqa: S606 - no shell is wanted
