"""Provenance of a take: versions of all tools, and the fonts. None for a tool that prints no version."""

import platform
import re
import shutil
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

from eyelevel.built import RECORDER
from eyelevel.capture.attempts.this_machine import this_machine
from eyelevel_core.contracts import sha256_of_bytes, sha256_of_file
from eyelevel_core.model.take import Provenance

VERSION = re.compile(r"\d+(?:\.\d+)+\S*")


def provenance(
    testbed: Path,
    calibration_digest: str | None,
    mask_digest: str | None = None,
    volatile_digest: str | None = None,
) -> Provenance:
    """Returns the part that is the same for all attempts of a command; each take adds the rest.

    `calibration_digest` is the SHA-256 of calibration.json, or None if the networks were not measured. `mask_digest` is
    that of the page's motion mask, `volatile_digest` that of the recording's volatile parameters; None without one.
    """
    return Provenance(
        tools(testbed),
        fonts_digest(),
        (),
        "",
        calibration_digest,
        mask_digest=mask_digest,
        volatile_digest=volatile_digest,
        machine=this_machine(),
    )


@cache
def tools(testbed: Path) -> dict[str, str | None]:
    """Returns versions by name, and the testbed's digest; each take adds Chromium's version, from the browser."""
    return {
        "ffmpeg": first_version(["ffmpeg", "-version"]),
        "xvfb": first_version(["dpkg-query", "--show", "xvfb"]),  # it has no option for its version
        "recorder": first_version([str(RECORDER.find()), "--version"]),
        "testbed": first_version([str(testbed), "--version"]),
        # two builds of one version may behave differently
        "testbed_sha256": sha256_of_file(testbed),
        "playwright": version("playwright"),
        "eyelevel": version("eyelevel"),
        "python": platform.python_version(),
        "kernel": platform.release(),
    }


@cache
def fonts_digest() -> str:
    """Returns the SHA-256 of the sorted list of installed fonts, which is equal on machines with the same fonts."""
    listed = subprocess.run(
        ["fc-list", "--format", "%{file|basename} %{fontversion}\n"], capture_output=True, check=True
    )
    return sha256_of_bytes(b"\n".join(sorted(listed.stdout.splitlines())))


def first_version(command: list[str]) -> str | None:
    """Returns the first version number that the command prints; None if there is none."""
    if shutil.which(command[0]) is None:
        return None
    completed = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    match = VERSION.search(completed.stdout + completed.stderr)
    return match.group() if match else None
