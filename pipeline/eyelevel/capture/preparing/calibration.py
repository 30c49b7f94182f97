"""Calibration of the networks before a campaign; stores the result as calibration.json."""

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

NOT_PERMITTED = 3  # exit status of eyelevel-testbed calibrate


def calibrate(batch: BatchFolder, testbed: Path, networks: Mapping[str, Network], *, seed: int) -> str:
    """Calibrates the networks unless calibration.json is valid, and returns the SHA-256 of this file.

    It is valid for the same networks and the same build of the testbed. Another one is renamed to
    calibration-SHA256.json, because takes refer to it. `seed` determines which packets are lost; if these losses are
    too unlikely, the testbed tries other seeds before it fails.

    Raises EyelevelError with the testbed's message if a network is outside its tolerance.
    """
    path = batch.calibration_file
    build = sha256_of_file(testbed)
    if path.is_file() and _holds(path, networks, build):
        return sha256_of_bytes(path.read_bytes())
    status, text, message = _measured(testbed, networks, seed)
    if status == NOT_PERMITTED:
        raise NotPermittedError(message)
    if status != 0:
        raise EyelevelError(f"{message}. (--no-calibrate films anyway; every take records this.)")
    value = {**json.loads(text), "testbed_sha256": build}
    check(value, "calibration.1", source=path.name)
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(value, indent=1) + "\n")
    if path.is_file():
        path.rename(batch.earlier_calibration_file(sha256_of_file(path)))
    beside.replace(path)
    return sha256_of_bytes(path.read_bytes())


def _measured(testbed: Path, networks: Mapping[str, Network], seed: int) -> tuple[int, str, str]:
    """Exit status, standard output, and the last line of standard error; earlier lines are printed immediately."""
    named = [network.name for network in networks.values() if network.file is None]
    files = [network.file for network in networks.values() if network.file is not None]
    options = ["--json", "--seed", str(seed), *asked(named, files)]
    command = ["setpriv", "--pdeathsig", "KILL", str(testbed), "calibrate", *options]
    last_line = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        for line in process.stderr:
            last_line = line.strip()
            if not last_line.startswith("eyelevel testbed: "):
                click.echo(line, nl=False, err=True)
        text = process.stdout.read()
    return process.returncode, text, last_line.removeprefix("eyelevel testbed: ")


def _holds(path: Path, networks: Mapping[str, Network], build: str) -> bool:
    try:
        calibration: Any = json.loads(path.read_text())
        digests = {name: measured["digest"] for name, measured in calibration["networks"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    wanted = {network.name: network.digest for network in networks.values()}
    is_of_build = calibration.get("testbed_sha256") == build
    return bool(calibration.get("ok")) and is_of_build and wanted.items() <= digests.items()
