"""`eyelevel demo`: captures a small campaign, serves the platform, and publishes a study with it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import httpx

from embedded.data_folder import REPOSITORY, Layout
from embedded.serve import ServeError
from embedded.servers import ServerError, die_with_parent
from eyelevel.errors import EyelevelError

CAMPAIGN = REPOSITORY / "pipeline" / "campaigns" / "demo.toml"
SAMPLE = REPOSITORY / "fixtures" / "sample-batch"
STUDY = REPOSITORY / "fixtures" / "study-demo.yaml"
TESTBED = REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
START_S = 120.0
STEPS = 4


class DemoError(EyelevelError):
    """A step of the demo failed; its own words stand above."""


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=REPOSITORY / "data",
    help="Folder of all data.  [default: data/ in the clone]",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option("--exit-when-ready", is_flag=True, help="Stop everything and exit with 0 once all of it answers.")
def demo(data: Path, port: int, exit_when_ready: bool) -> None:
    """Capture a small campaign, serve the platform, publish a study with it; ends with three addresses.

    Example: eyelevel demo --port 8080
    """
    layout = Layout(data.resolve())
    begun = time.monotonic()
    refuse_second_start(layout)
    batch = film(layout, begun)
    with served(layout, port, begun) as url:
        step(3, begun, "Send the batch to the platform")
        run_stage("push", str(batch), "--to", url, token=layout.secret("batches-token"))
        step(4, begun, "Publish the demo study")
        study = run_stage("study", "publish", str(STUDY), "--to", url, token=layout.secret("studies-token"), quiet=True)
        check_that_all_answers(url, slug=json.loads(study)["fieldings"][0]["slug"])
        show_addresses(layout, url, slug=json.loads(study)["fieldings"][0]["slug"], begun=begun)
        if not exit_when_ready:
            click.echo("Stop everything with Ctrl-C.")
            signal.pause()


def refuse_second_start(layout: Layout) -> None:
    """Say so before anything is captured, where a platform runs on the same data."""
    try:
        with layout.held():
            pass
    except ServerError as error:
        raise ServeError(str(error)) from None


def film(layout: Layout, begun: float) -> Path:
    """The folder of a batch: captured here where this machine can, else the sample."""
    obstacle = what_hinders_capture()
    if obstacle is not None:
        step(1, begun, f"Use the sample batch in fixtures/, since {obstacle}")
        return SAMPLE
    step(1, begun, f"Capture {CAMPAIGN.relative_to(REPOSITORY)} (what is already there is kept)")
    batch = layout.folder / "demo-batch"
    batch.parent.mkdir(parents=True, exist_ok=True)
    try:
        run_stage("capture", str(CAMPAIGN), "--out", str(batch))
    except DemoError:
        click.echo("Not all runs have a take here, as its own words say: using the sample batch in fixtures/ instead.")
        return SAMPLE
    return batch


def what_hinders_capture() -> str | None:
    """Half a sentence on why this machine cannot capture; None where it can."""
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
        return "this machine lets root make no namespaces"
    return None


@contextmanager
def served(layout: Layout, port: int, begun: float) -> Iterator[str]:
    """The platform in a process of its own while the block runs; gives its address."""
    step(2, begun, "Start PostgreSQL, Valkey, web, workers and beat")
    command = [sys.executable, "-m", "eyelevel", "serve", "--data", str(layout.folder), "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--demo-accounts"],
        start_new_session=True,  # Ctrl-C reaches us alone; we stop it in good order
        preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - the hook only calls prctl
    )
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        yield wait_until_ready(layout, process)
    except KeyboardInterrupt:
        click.echo("", err=True)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait()


def wait_until_ready(layout: Layout, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if process.poll() is not None:
            raise DemoError("The platform did not start; its own words stand above.")
        facts = layout.who_runs()
        if facts.get("pid") == process.pid:
            return str(facts["url"])
        time.sleep(0.1)
    raise DemoError(f"The platform was not ready within {START_S:.0f} s; see {layout.logs}.")


def check_that_all_answers(url: str, *, slug: str) -> None:
    """The platform says that web, database, queue and worker are well, and each of the three pages is there."""
    end = time.monotonic() + START_S
    while not is_ok(f"{url}/api/health"):
        if time.monotonic() > end:
            raise DemoError(f"{url}/api/health was not well within {START_S:.0f} s; see the logs in the data folder.")
        time.sleep(0.2)
    for page in (f"/s/{slug}", f"/api/participate/{slug}", "/research", "/admin"):
        if not is_ok(url + page):
            raise DemoError(f"{url}{page} does not answer as it should; see the logs in the data folder.")


def is_ok(url: str) -> bool:
    try:
        return httpx.get(url, timeout=10).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def run_stage(*arguments: str, token: str | None = None, quiet: bool = False) -> str:
    """Run a command of `eyelevel`; its standard output if `quiet`, else it talks to the terminal itself."""
    environment = {**os.environ, "EYELEVEL_TOKEN": token} if token else dict(os.environ)
    done = subprocess.run(
        [sys.executable, "-m", "eyelevel", *arguments],
        env=environment,
        stdout=subprocess.PIPE if quiet else sys.stderr,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise DemoError(f"eyelevel {arguments[0]} ended with status {done.returncode}; its own words stand above.")
    return done.stdout or ""


def step(number: int, begun: float, what: str) -> None:
    click.secho(f"[{number}/{STEPS}] {what}", bold=True, nl=False)
    click.echo(f"  ({time.monotonic() - begun:.0f} s)")


def show_addresses(layout: Layout, url: str, *, slug: str, begun: float) -> None:
    researcher, admin = layout.secret("researcher-password"), layout.secret("admin-password")
    click.echo(
        f"""
Eyelevel is ready after {time.monotonic() - begun:.0f} s.

  Participant   {url}/s/{slug}
  Researcher    {url}/research     user researcher, password {researcher}
  Admin         {url}/admin        user admin, password {admin}
"""
    )
