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

# Bubbles would lie over the page: the film has seen that of the translator, which no argument keeps away.
PREFERENCES = {"translate": {"enabled": False}, "credentials_enable_service": False}
# Debian's script on PATH, and Chromium itself
DEBIANS = (Path("/usr/bin/chromium"), Path("/usr/lib/chromium/chromium"))
# a blinking caret would change frames for ever on pages that focus a field
NO_BLINKING = "[Settings]\ngtk-cursor-blink=0\n"


def looks(pixel_ratio: float) -> list[str]:
    """Page only, the same everywhere: no frame, no bars, so many pixels per CSS pixel, software drawing."""
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
    """Chromium's command line, complete and in a fixed order. The size is in CSS pixels.

    `closes_connections`: a page may have it close them (chrome.benchmarking.closeConnections).
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
    """The arguments without the profile's path, which tells only of the machine."""
    return ["--user-data-dir=PROFILE" if part.startswith("--user-data-dir=") else part for part in given]


def program(found: str | None, debians: tuple[Path, Path] = DEBIANS) -> str:
    """What is run for `found`, the program on PATH: Chromium itself where that is Debian's script.

    The script adds arguments of the machine's (/etc/chromium.d), and takes longer than Chromium does without it. A
    script of somebody else's is run as it is.
    """
    if found is None:
        return "chromium"
    script, itself = debians
    if Path(found) != script or not itself.exists():
        return found
    with script.open("rb") as file:
        return str(itself) if file.read(2) == b"#!" else found


@dataclass(frozen=True)
class Profile:
    """A browser's profile in the sandbox; `kept` is where one lies that is to be used, and is left if it is kept."""

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
    """Chromium on the sandbox's screen, with a fresh profile unless one is kept; `folder` is for what starts it.

    `joining` goes before its command line (see groups.py).
    In the end it is killed, for its profile is of no more use; it is closed if the profile is to be kept.
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
        folder / "driver",  # the profile is in the sandbox, where the driver is not
        executable_path="/bin/sh",  # for the disk may be mounted so that nothing there can be executed
        headless=False,
        args=[str(starter.path), *given],
        ignore_default_args=True,
        no_viewport=True,
        # a cold load is not helped by its service worker, and its requests would be seen by nobody
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
        with suppress(Error):  # what is there to be closed has just died
            await context.close()
        if profile.keep:
            shutil.rmtree(profile.kept, ignore_errors=True)
            shutil.copytree(here, profile.kept, symlinks=True)


@dataclass(frozen=True)
class Starter:
    """A script that becomes Chromium in its sandbox, for the driver cannot be told to go there first.

    The driver starts it in a session of its own, which all of Chromium's processes belong to.
    """

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "chromium"

    @property
    def pid(self) -> int:
        return int((self.folder / "chromium.pid").read_text())

    def write(self, command: Sequence[str], *, nice: int) -> None:
        told = shlex.quote(str(self.folder / "chromium.pid"))
        weigh = f"[ ! -e /proc/$$/autogroup ] || echo {nice} >/proc/$$/autogroup"
        self.path.write_text(f'#!/bin/sh\n{weigh}\necho $$ >{told}\nexec {shlex.join(command)} "$@"\n')

    def weigh(self, nice: int) -> None:
        with suppress(OSError, ValueError):
            autogroup.weigh(self.pid, nice)

    def kill(self) -> None:
        """Kill what nsenter started, and not nsenter: it has to tell the kernel that it knows, or the sandbox waits."""
        with suppress(OSError, ValueError):  # it has ended, or never began
            for pid in children(self.pid):
                os.kill(pid, signal.SIGKILL)


async def emulate(context: BrowserContext, device: Device, page: Viewport) -> None:
    """Make the browser's page that of a device, until it ends; it stays as fast as the machine."""
    session = await context.new_cdp_session(context.pages[0])
    version = (await session.send("Browser.getVersion"))["product"].partition("/")[2]
    for method, parameters in commands(device, page, version=version):
        await session.send(method, parameters)


async def slow_down(context: BrowserContext, device: Device) -> None:
    """Make the page's main thread as slow as the device's, until it ends."""
    for method, parameters in slowing(device):
        session = await context.new_cdp_session(context.pages[0])
        await session.send(method, parameters)


def running_as_root() -> bool:
    return os.geteuid() == 0
