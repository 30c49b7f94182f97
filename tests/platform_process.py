"""Starts a real platform for tests: `eyelevel serve` in its own process, with its own data folder."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import processes
import s3_stores

START_S = 240.0
GONE_S = 90.0
# of a platform in its bucket
PREFIX = "platform"


@dataclass
class Platform:
    """A running platform: its address, its data folder, the process of its supervisor."""

    data: Path
    process: subprocess.Popen[bytes]
    url: str
    # of the platform's process, besides those of this one
    variables: Mapping[str, str] = field(default_factory=dict)

    def secret(self, name: str) -> str:
        return (self.data / "secrets" / name).read_text()

    def eyelevel(self, *arguments: str, scope: str = "batches") -> str:
        """Run a command of `eyelevel` with a token of that scope; its standard output."""
        done = subprocess.run(
            [sys.executable, "-m", "eyelevel", *arguments],
            env={**os.environ, "EYELEVEL_TOKEN": self.secret(f"{scope}-token")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"eyelevel {' '.join(arguments)} ended with {done.returncode}: {done.stderr}"
        return done.stdout

    def publish_file(self, study: Path) -> dict[str, Any]:
        """Publish a study by the API, which takes no program's two seconds to start; the study as the API gives it."""
        headers = {"Authorization": f"Bearer {self.secret('studies-token')}", "Content-Type": "application/yaml"}
        address = f"{self.url}/api/research/studies"
        answer = httpx.post(address, content=study.read_bytes(), headers=headers, timeout=30)
        assert answer.is_success, f"{study.name} was not published: {answer.status_code} {answer.text}"
        published: dict[str, Any] = answer.json()
        return published

    def push(self, batch: Path) -> None:
        """Upload a batch; what the platform has already is not sent again."""
        self.eyelevel("push", str(batch), "--to", self.url)

    def publish(self, batch: Path, study: Path) -> dict[str, Any]:
        """Push a batch and publish a study with it; the study as the API gives it."""
        self.push(batch)
        published: dict[str, Any] = json.loads(
            self.eyelevel("study", "publish", str(study), "--to", self.url, scope="studies")
        )
        return published


def start(data: Path, variables: Mapping[str, str] | None = None) -> Platform:
    """Start the platform on `data` and wait until it answers."""
    variables = variables or {}
    # pytest-xdist kills its processes where a run is interrupted: the platform ends with the process that started it
    with_parent = ("setpriv", "--pdeathsig", "TERM")
    # started with SIGINT ignored, as a shell starts a command in the background: it must end by SIGINT all the same
    background = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
    serve = (sys.executable, "-m", "eyelevel", "serve", "--data", str(data), "--port", "0", "--demo-accounts")
    process = subprocess.Popen(
        [*with_parent, *background, *serve], env=os.environ | dict(variables), start_new_session=True
    )
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert process.poll() is None, f"eyelevel serve ended with {process.returncode}"
        try:
            facts = json.loads((data / "running.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            facts = {}
        if facts.get("pid") == process.pid:
            return Platform(data, process, facts["url"], variables)
        time.sleep(0.1)
    process.kill()
    raise AssertionError(f"the platform was not ready within {START_S:.0f} s")


def start_again(platform: Platform) -> None:
    """Start a platform that has ended on the same data; its address is a new one."""
    started = start(platform.data, platform.variables)
    platform.process, platform.url = started.process, started.url


def stop(platform: Platform) -> None:
    platform.process.send_signal(signal.SIGINT)
    assert platform.process.wait(60) == 0
    wait_until_gone(platform)


def wait_until_gone(platform: Platform) -> None:
    """Wait until none of the platform's processes is left; raise AssertionError where one stays."""
    wait_until_none_uses(platform.data)


def wait_until_none_uses(data: Path) -> None:
    """Wait until no process names the data folder; raise AssertionError where one stays."""
    end = time.monotonic() + GONE_S
    while left := processes.naming(data):
        assert time.monotonic() < end, f"processes of {data} are left behind: {left}"
        time.sleep(0.2)


@contextmanager
def running(*, bucket: bool = False) -> Iterator[Platform]:
    """A platform on a fresh data folder that lies where every user may go; with `bucket`, an S3 store has its files."""
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    data = folder / "data"
    try:
        with bucket_beside(data) if bucket else nullcontext({}) as variables:
            platform = start(data, variables)
            try:
                yield platform
            finally:
                stop(platform)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def bucket_beside(data: Path) -> Iterator[Mapping[str, str]]:
    """An S3 store; the variables by which a platform finds it."""
    with s3_stores.serving(s3_stores.CONDITIONAL, bucket_folder(data)) as store:
        yield {**store.variables, "EYELEVEL_STORE": f"s3://{s3_stores.BUCKET}/{PREFIX}"}


def bucket_folder(data: Path) -> Path:
    """Where the S3 store of a platform with this data folder keeps its files."""
    return data.parent / "s3"
