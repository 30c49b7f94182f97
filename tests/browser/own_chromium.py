"""Starts a Chromium that knows whether it is visible and focused; Playwright's own always believes so."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Playwright

READY_S = 30.0
QUIET = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-gpu",
)


@contextmanager
def own_chromium(
    playwright: Playwright, arguments: Sequence[str], *, environment: Mapping[str, str] | None = None
) -> Iterator[BrowserContext]:
    """Its one window, steered from outside but not told to behave otherwise."""
    program = shutil.which("chromium")
    assert program is not None
    profile = Path(tempfile.mkdtemp(prefix="eyl-profile-"))
    command = [program, f"--user-data-dir={profile}", "--remote-debugging-port=0", *QUIET, *arguments]
    command += ["--no-sandbox"] if os.geteuid() == 0 else []
    process = subprocess.Popen(
        [*command, "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )
    try:
        address = f"http://127.0.0.1:{_port(process, profile)}"
        browser = playwright.chromium.connect_over_cdp(address, no_defaults=True)
        yield browser.contexts[0]
        browser.close()
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(profile, ignore_errors=True)


def _port(process: subprocess.Popen[bytes], profile: Path) -> int:
    file = profile / "DevToolsActivePort"
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        assert process.poll() is None, f"chromium ended with {process.returncode}"
        lines = file.read_text().splitlines() if file.exists() else []
        if len(lines) > 1:
            return int(lines[0])
        time.sleep(0.05)
    raise AssertionError(f"chromium was not ready within {READY_S:g} s")
