"""Starts and stops the recording proxy warcprox (Internet Archive), which runs in a separate Python environment.

warcprox records bodies as they were sent, with their content-encoding, and the address of each server. The browser's
debugging protocol provides only decoded bodies. warcprox is run as a program instead of imported, because it pins
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
    """Returns warcprox: the path in EYELEVEL_WARCPROX, else the one in .venv-record at the root, else one on PATH."""
    installed = OWN_ENVIRONMENT / "bin" / "warcprox"
    program = os.environ.get(VARIABLE) or (str(installed) if installed.exists() else shutil.which("warcprox"))
    if program is None or not os.access(program, os.X_OK):
        raise ToolMissingError(
            "warcprox is missing; install it with `make record-tools` or `pipx install warcprox`, or set the "
            f"environment variable {VARIABLE} to its path."
        )
    return program


@contextmanager
def proxy(program: str, folder: Path) -> Iterator[int]:
    """Returns a context with the port of a warcprox whose files are below `folder`, complete when the context ends."""
    port = _free_port()
    command = [
        program, "--address", "127.0.0.1", "--port", str(port), "--gzip", "--dir", str(folder / WARCS),
        "--cacert", str(folder / "ca.pem"), "--certs-dir", str(folder / "certs"),
        # a page that requests a URL twice must get the body twice, not a revisit of the first
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
    output = log.read_text(errors="replace").strip().splitlines()
    raise EyelevelError(f"warcprox did not start: {output[-1] if output else 'no output'}.")
