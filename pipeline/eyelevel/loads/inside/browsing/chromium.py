"""Starts Chromium with all its arguments listed here; the driver adds none."""

import json
import os
import shlex
import shutil
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import BrowserContext, Error, Playwright

from eyelevel.emulation import ONE_PROCESS, commands, slowing
from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.sandbox import Sandbox, children
from eyelevel.own_traffic import FEATURES_OFF, OWN_TRAFFIC_OFF
from eyelevel.ways import WAYS, discoverable
from eyelevel_core.model.device import DESKTOP, Device, Viewport

# Bubbles would cover the page; that of the translator cannot be disabled by arguments.
PREFERENCES = {"translate": {"enabled": False}, "credentials_enable_service": False}
# Debian's script on PATH, and Chromium itself
DEBIANS = (Path("/usr/bin/chromium"), Path("/usr/lib/chromium/chromium"))
# a blinking caret would keep changing frames on pages that focus a field
NO_BLINKING = "[Settings]\ngtk-cursor-blink=0\n"


def looks(pixel_ratio: float) -> list[str]:
    """Returns arguments for a page without window decorations, drawn in software with this device pixel ratio."""
    return [
        "--kiosk",
        "--hide-scrollbars",
        "--test-type",
        "--window-position=0,0",
        "--force-color-profile=srgb",
        f"--force-device-scale-factor={pixel_ratio:g}",
        "--lang=en-US",
        "--disable-gpu",
        "--mute-audio",
        "--deny-permission-prompts",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
    ]


def arguments(
    *,
    way: str,
    width_px: int,
    height_px: int,
    resolver_rules: str,
    spki: str,
    profile: Path,
    is_root: bool,
    closes_connections: bool = False,
    device: Device = DESKTOP,
) -> list[str]:
    """Returns Chromium's complete command line in a fixed order; the size is in CSS pixels.

    `closes_connections`: pages may call chrome.benchmarking.closeConnections.
    """
    return [
        *OWN_TRAFFIC_OFF,
        f"--disable-features={','.join(FEATURES_OFF)}",
        *looks(device.pixel_ratio),
        *([] if device == DESKTOP else [ONE_PROCESS]),
        f"--window-size={width_px},{height_px}",
        *WAYS[way].arguments,
        *([discoverable(resolver_rules)] if way == "alt-svc" else []),
        f"--host-resolver-rules={resolver_rules}",
        f"--ignore-certificate-errors-spki-list={spki}",
        *(["--no-sandbox"] if is_root else []),
        *(["--enable-net-benchmarking"] if closes_connections else []),
        f"--user-data-dir={profile}",
        "--remote-debugging-pipe",
        "about:blank",
    ]


def without_place(given: list[str]) -> list[str]:
    """Returns the arguments without the profile's path, which depends on the machine."""
    return ["--user-data-dir=PROFILE" if part.startswith("--user-data-dir=") else part for part in given]


def program(on_path: str | None, debians: tuple[Path, Path] = DEBIANS) -> str:
    """Returns the program to run for the one on PATH: Chromium itself instead of Debian's script.

    The script adds arguments of the machine (/etc/chromium.d), and takes longer than Chromium without it. Other scripts
    are run unchanged.
    """
    if on_path is None:
        return "chromium"
    script, itself = debians
    if Path(on_path) != script or not itself.exists():
        return on_path
    with script.open("rb") as file:
        return str(itself) if file.read(2) == b"#!" else on_path


@dataclass(frozen=True)
class Profile:
    """A browser's profile in the sandbox; an existing profile in `kept` is used, and stored there again if `keep`."""

    path: Path
    kept: Path
    keep: bool


@asynccontextmanager
async def browser(
    drive: Playwright,
    place: Sandbox,
    given: list[str],
    *,
    folder: Path,
    profile: Profile,
    nice: int,
    joining: Sequence[str] = (),
) -> AsyncIterator[BrowserContext]:
    """Returns a context with Chromium on the sandbox's screen; its profile is new unless one is kept.

    `folder` is for the starter script, and `joining` is put before the command line (see groups.py). In the end
    Chromium is killed, or closed if its profile is kept.
    """
    config = profile.path.with_name("config")
    settings = place.outside(config) / "gtk-3.0"
    settings.mkdir(parents=True)
    (settings / "settings.ini").write_text(NO_BLINKING)
    here = place.outside(profile.path)
    if profile.kept.exists():
        shutil.copytree(profile.kept, here, symlinks=True)
    preferences = here / "Default" / "Preferences"
    if not preferences.exists():
        preferences.parent.mkdir(parents=True, exist_ok=True)
        preferences.write_text(json.dumps(PREFERENCES))
    starter = Starter(folder)
    starter.write([*joining, *place.enter(), program(shutil.which("chromium"))], nice=nice)
    context = await drive.chromium.launch_persistent_context(
        folder / "driver",  # not used: the profile is in the sandbox, unlike the driver
        executable_path="/bin/sh",  # files on the disk may not be executable, by mount options
        headless=False,
        args=[str(starter.path), *given],
        ignore_default_args=True,
        no_viewport=True,
        # a service worker does not help a cold load, and its requests would not be observed
        service_workers="block",
        env={
            **os.environ,
            "DISPLAY": place.screen,
            "XDG_CONFIG_HOME": str(config),
            "TMPDIR": str(config.parent),
            "TZ": "UTC",
        },
    )
    try:
        yield context
    finally:
        if not profile.keep:
            starter.kill()
        with suppress(Error):  # it has been killed
            await context.close()
        if profile.keep:
            shutil.rmtree(profile.kept, ignore_errors=True)
            shutil.copytree(here, profile.kept, symlinks=True)


@dataclass(frozen=True)
class Starter:
    """A script that enters the sandbox and executes Chromium, because the driver cannot enter it.

    The driver starts it in a new session, which all of Chromium's processes belong to.
    """

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "chromium"

    @property
    def pid(self) -> int:
        return int((self.folder / "chromium.pid").read_text())

    def write(self, command: Sequence[str], *, nice: int) -> None:
        """Writes the script, with the session's initial weight."""
        pid_file = shlex.quote(str(self.folder / "chromium.pid"))
        weigh = f"[ ! -e /proc/$$/autogroup ] || echo {nice} >/proc/$$/autogroup"
        self.path.write_text(f'#!/bin/sh\n{weigh}\necho $$ >{pid_file}\nexec {shlex.join(command)} "$@"\n')

    def weigh(self, nice: int) -> None:
        """Sets the weight of Chromium's session, if it has started."""
        with suppress(OSError, ValueError):
            autogroup.weigh(self.pid, nice)

    def kill(self) -> None:
        """Kills the children of nsenter, not nsenter itself, which has to reap them before the sandbox can end."""
        with suppress(OSError, ValueError):  # it has ended, or never began
            for pid in children(self.pid):
                os.kill(pid, signal.SIGKILL)


async def emulate(context: BrowserContext, device: Device, page: Viewport) -> None:
    """Emulates a device in the browser until it ends, but not its speed."""
    session = await context.new_cdp_session(context.pages[0])
    version = (await session.send("Browser.getVersion"))["product"].partition("/")[2]
    for method, parameters in commands(device, page, version=version):
        await session.send(method, parameters)


async def slow_down(context: BrowserContext, device: Device) -> None:
    """Slows the page's main thread down to the device's speed, until it ends."""
    for method, parameters in slowing(device):
        session = await context.new_cdp_session(context.pages[0])
        await session.send(method, parameters)


def running_as_root() -> bool:
    return os.geteuid() == 0
