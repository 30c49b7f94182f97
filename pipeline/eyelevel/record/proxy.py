"""Starts and stops the recording proxy warcprox (Internet Archive), which runs in a separate Python environment.

warcprox records bodies as they came over the wire, with their content-encoding, and the address of each server. The
browser's debugging protocol gives decoded bodies only. warcprox is started and not imported, because it pins
cryptography and other packages to versions that must not bind the rest of the project.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eyelevel.errors import EyelevelError, ToolMissingError

# the proxy's log, in the folder that it is started with
LOG = "proxy.log"
WARCS = "warcs"
START_S = 20
STOP_S = 60
VARIABLE = "EYELEVEL_WARCPROX"
OWN_ENVIRONMENT = Path(__file__).resolve().parents[3] / ".venv-record"


def find_warcprox() -> str:
    """The program named by EYELEVEL_WARCPROX, else the one in .venv-record at the root, else one on PATH."""
    own = OWN_ENVIRONMENT / "bin" / "warcprox"
    program = os.environ.get(VARIABLE) or (str(own) if own.exists() else shutil.which("warcprox"))
    if program is None or not os.access(program, os.X_OK):
        raise ToolMissingError(
            "warcprox is missing; install it by `make record-tools` or `pipx install warcprox`, or give its path in "
            f"the environment variable {VARIABLE}."
        )
    return program


@contextmanager
def proxy(program: str, folder: Path) -> Iterator[int]:
    """Start warcprox with all its files below `folder` and yield its port; at the end its WARC files are complete."""
    port = _free_port()
    command = [
        program, "--address", "127.0.0.1", "--port", str(port), "--gzip", "--dir", str(folder / WARCS),
        "--cacert", str(folder / "ca.pem"), "--certs-dir", str(folder / "certs"),
        # a page that fetches one thing twice must get it twice, not a pointer to the first
        "--dedup-db-file", os.devnull, "--stats-db-file", os.devnull, "--quiet",
    ]  # fmt: skip
    with (folder / LOG).open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait_for(port, process, folder / LOG)
            yield port
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as connection:
        connection.bind(("127.0.0.1", 0))
        return int(connection.getsockname()[1])


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as connection:
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    said = log.read_text(errors="replace").strip().splitlines()
    raise EyelevelError(f"warcprox did not start: {said[-1] if said else 'it said nothing'}.")
