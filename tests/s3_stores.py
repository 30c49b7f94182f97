"""Real S3-compatible stores on loopback: versitygw, and rclone as a second opinion. Also a program of its own.

python tests/s3_stores.py versitygw FOLDER
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

KEY, SECRET, REGION = "eyelevel-test", "eyelevel-test-secret", "us-east-1"
BUCKET = "eyelevel"
SERVERS = ("versitygw", "rclone")
# of these two only this one honours If-None-Match
CONDITIONAL = "versitygw"
READY_S = 30


@dataclass(frozen=True)
class Server:
    """A running store, and the variables by which a client finds it. Its bucket is a folder of that name."""

    name: str
    folder: Path
    port: int
    process: "subprocess.Popen[bytes]" = field(repr=False)

    @property
    def variables(self) -> Mapping[str, str]:
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": REGION,
            # keys and addresses of whoever runs the tests stay out of it
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }


def program(name: str) -> str | None:
    """Where the server is installed: beside Python, else on PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


@contextmanager
def serving(name: str, folder: Path, *, port: int = 0, address: str = "127.0.0.1") -> Iterator[Server]:
    """Start the server on the folder, which keeps everything, and end it after the block. Port 0 is a free one."""
    port = port or _free_port()
    for needed in ("bucket", "side"):
        (folder / needed).mkdir(parents=True, exist_ok=True)
    (folder / "bucket" / BUCKET).mkdir(exist_ok=True)
    with (folder / "log").open("ab") as log:
        command = _command(name, folder, f"{address}:{port}")
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            _wait(process, address, port, folder / "log")
            yield Server(name, folder, port, process)
        finally:
            process.kill()
            process.wait()


def installed(name: str) -> str:
    found = program(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed; `make test` installs it")
    return found


def _command(name: str, folder: Path, address: str) -> list[str]:
    found = installed(name)
    if name == "versitygw":
        # metadata beside the files: not every file system has extended attributes
        return [
            *(found, "--access", KEY, "--secret", SECRET, "--region", REGION, "--port", address, "--quiet"),
            *("posix", "--sidecar", str(folder / "side"), str(folder / "bucket")),
        ]
    return [found, "serve", "s3", "--auth-key", f"{KEY},{SECRET}", "--addr", address, str(folder / "bucket")]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def _wait(process: "subprocess.Popen[bytes]", address: str, port: int, log: Path) -> None:
    until = time.monotonic() + READY_S
    while True:
        try:
            socket.create_connection((address, port), timeout=1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the store does not start: {log.read_text(errors='replace')[-2000:]}") from None
            time.sleep(0.05)
        else:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a folder as an S3-compatible store until interrupted.")
    parser.add_argument("server", choices=SERVERS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=0, help="a free one without")
    parser.add_argument("--address", default="127.0.0.1")
    asked = parser.parse_args()
    with serving(asked.server, asked.folder, port=asked.port, address=asked.address) as server:
        for name, value in server.variables.items():
            sys.stdout.write(f"export {name}={value}\n")
        sys.stdout.flush()
        server.process.wait()


if __name__ == "__main__":
    main()
