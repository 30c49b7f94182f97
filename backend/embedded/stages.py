"""Shared functions of commands with several stages: run a stage, serve the platform meanwhile, report progress."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import click
import httpx

from embedded.data_folder import REPOSITORY, Layout
from embedded.processes import ServerError, die_with_parent
from embedded.serve import ServeError
from eyelevel.errors import EyelevelError

TESTBED = REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
START_S = 120.0
# settings of a platform behind a proxy: how it is reached, and a second factor, which demo accounts do not have
PUBLIC = (
    "EYELEVEL_ALLOWED_HOSTS",
    "EYELEVEL_PUBLIC_URL",
    "EYELEVEL_REQUIRE_SECOND_FACTOR",
    "EYELEVEL_SECURE_COOKIES",
    "EYELEVEL_TRUSTED_PROXY",
)


class StageError(EyelevelError):
    """A stage failed, and has printed its messages. `status` is its exit status, if it has one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Steps:
    """Announces each step with its number and the elapsed time."""

    total: int
    begun: float = field(default_factory=time.monotonic)
    number: int = 0

    def begin(self, what: str) -> None:
        self.number += 1
        click.secho(f"[{self.number}/{self.total}] {what}", bold=True, nl=False)
        click.echo(f"  ({self.seconds:.0f} s)")

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun


def refuse_second_start(layout: Layout) -> None:
    """Raise ServeError, before anything is captured, if a platform already runs on the same data."""
    try:
        with layout.held():
            pass
    except ServerError as error:
        raise ServeError(str(error)) from None


def what_hinders_capture() -> str | None:
    """The reason why this machine cannot capture, as a clause; None if it can."""
    if sys.platform != "linux":
        return "capturing needs Linux"
    if os.geteuid() != 0:
        return "capturing needs root for network namespaces"
    if not TESTBED.exists():
        return "the testbed is not built (make testbed)"
    missing = [tool for tool in ("chromium", "ffmpeg", "Xvfb", "unshare") if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} cannot be found"
    namespaces = ["unshare", "--net", "--pid", "--mount", "--fork", "true"]
    if subprocess.run(namespaces, capture_output=True, check=False).returncode != 0:
        return "root cannot create namespaces on this machine"
    return None


@contextmanager
def served(layout: Layout, port: int) -> Iterator[str]:
    """Run the platform in a separate process while the block runs; yields its address.

    All stages use the address on loopback and demo accounts, so variables of a public platform are ignored.
    """
    command = [sys.executable, "-m", "eyelevel", "serve", "--data", str(layout.folder), "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--demo-accounts"],
        env=on_loopback(os.environ),
        start_new_session=True,  # only this process gets Ctrl-C, and stops the platform in order
        preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - the hook only calls prctl
    )
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        yield wait_until_ready(layout, process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait()


def on_loopback(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in PUBLIC}


def serve_until_interrupt() -> None:
    click.echo("Stop everything with Ctrl-C.")
    with suppress(KeyboardInterrupt):
        signal.pause()
    click.echo("", err=True)


def wait_until_ready(layout: Layout, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if process.poll() is not None:
            raise StageError("The platform did not start; see the messages above.")
        running = layout.who_runs()
        if running and running.pid == process.pid:
            return running.url
        time.sleep(0.1)
    raise StageError(f"The platform was not ready within {START_S:.0f} s; see {layout.logs}.")


def check_that_all_answers(url: str, *, slug: str) -> None:
    """Wait until web, database, queue and workers are healthy, then check that the pages answer."""
    end = time.monotonic() + START_S
    while not is_ok(f"{url}/api/health"):
        if time.monotonic() > end:
            message = f"{url}/api/health was not healthy within {START_S:.0f} s; see the logs in the data folder."
            raise StageError(message)
        time.sleep(0.2)
    for page in (f"/s/{slug}", f"/api/participate/{slug}", "/research", "/admin"):
        if not is_ok(url + page):
            raise StageError(f"{url}{page} does not answer with status 200; see the logs in the data folder.")


def is_ok(url: str) -> bool:
    try:
        return httpx.get(url, timeout=10).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def run_stage(*arguments: str, token: str | None = None, quiet: bool = False) -> str:
    """Run a command of `eyelevel`; returns its standard output if `quiet`, which otherwise goes to the terminal."""
    environment = {**os.environ, "EYELEVEL_TOKEN": token} if token else dict(os.environ)
    done = subprocess.run(
        [sys.executable, "-m", "eyelevel", *arguments],
        env=environment,
        stdout=subprocess.PIPE if quiet else sys.stderr,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = f"eyelevel {arguments[0]} ended with status {done.returncode}; see its messages above."
        raise StageError(message, done.returncode)
    return done.stdout or ""
