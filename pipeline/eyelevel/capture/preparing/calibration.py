"""Measures the networks before a campaign, and keeps the result as calibration.json."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from eyelevel.capture.planning.networks import Network, asked
from eyelevel.errors import EyelevelError, NotPermittedError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check, sha256_of_bytes, sha256_of_file

NOT_PERMITTED = 3  # of eyelevel-testbed calibrate


def calibrate(batch: BatchFolder, testbed: Path, networks: Mapping[str, Network], *, seed: int) -> str:
    """Returns the SHA-256 of calibration.json. One that is there holds if it is of these networks by this very testbed.

    One that does not hold is kept as calibration-SHA256.json, for takes name it.

    `seed` decides which packets are lost; where these are too unlikely, the testbed tries others before it refuses.

    Raise EyelevelError with the testbed's sentence where a network is not what it says it is.
    """
    path = batch.calibration_file
    build = sha256_of_file(testbed)
    if path.is_file() and _holds(path, networks, build):
        return sha256_of_bytes(path.read_bytes())
    status, text, said = _measured(testbed, networks, seed)
    if status == NOT_PERMITTED:
        raise NotPermittedError(said)
    if status != 0:
        raise EyelevelError(f"{said}. (--no-calibrate films all the same, and the takes say so.)")
    value = {**json.loads(text), "testbed_sha256": build}
    check(value, "calibration.1", source=path.name)
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(value, indent=1) + "\n")
    if path.is_file():
        path.rename(batch.earlier_calibration_file(sha256_of_file(path)))
    beside.replace(path)
    return sha256_of_bytes(path.read_bytes())


def _measured(testbed: Path, networks: Mapping[str, Network], seed: int) -> tuple[int, str, str]:
    """Exit status, what was printed, and the last words; the words before are passed on as they come."""
    named = [network.name for network in networks.values() if network.file is None]
    files = [network.file for network in networks.values() if network.file is not None]
    options = ["--json", "--seed", str(seed), *asked(named, files)]
    command = ["setpriv", "--pdeathsig", "KILL", str(testbed), "calibrate", *options]
    said = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        for line in process.stderr:
            said = line.strip()
            if not said.startswith("eyelevel testbed: "):
                click.echo(line, nl=False, err=True)
        text = process.stdout.read()
    return process.returncode, text, said.removeprefix("eyelevel testbed: ")


def _holds(path: Path, networks: Mapping[str, Network], build: str) -> bool:
    try:
        found: Any = json.loads(path.read_text())
        digests = {name: measured["digest"] for name, measured in found["networks"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    wanted = {network.name: network.digest for network in networks.values()}
    return bool(found.get("ok")) and found.get("testbed_sha256") == build and wanted.items() <= digests.items()
