"""Chromium's arguments, of which each way to a stack has its own; and its end."""

import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from eyelevel.emulation import as_filmed, commands, slowing, user_agent
from eyelevel.loads.inside.browsing.chromium import Starter, arguments, program
from eyelevel.ways import WAYS, discoverable
from eyelevel_core.model.device import DESKTOP, PHONE, Device, Viewport

RULES = "MAP a.test 192.0.2.1,MAP b.test 192.0.2.2,MAP * ~NOTFOUND"


def given(way: str, device: Device = DESKTOP) -> list[str]:
    return arguments(
        way=way,
        width_px=640,
        height_px=480,
        resolver_rules=RULES,
        spki="key",
        profile=Path("/profile"),
        is_root=False,
        device=device,
    )


def test_quic_that_is_to_be_discovered_is_allowed_with_every_host_and_forced_on_none() -> None:
    assert discoverable(RULES) == "--origin-to-force-quic-on=a.test:1,b.test:1"


@pytest.mark.parametrize(
    ("way", "switches"),
    [
        ("tcp", {"--disable-quic"}),
        ("http1", {"--disable-quic", "--disable-http2"}),
        ("quic", {"--enable-quic", "--origin-to-force-quic-on=*"}),
        ("alt-svc", {"--enable-quic", "--origin-to-force-quic-on=a.test:1,b.test:1"}),
    ],
)
def test_a_way_has_its_own_arguments_and_shares_all_others(way: str, switches: set[str]) -> None:
    shared = set.intersection(*(set(given(other)) for other in WAYS))
    assert set(given(way)) - shared == switches


def test_a_phone_has_its_pixels_and_one_process_for_all_frames() -> None:
    switches = {"--force-device-scale-factor=1.75", "--disable-site-isolation-trials"}
    assert set(given("tcp", PHONE)) - set(given("tcp")) == switches
    assert set(given("tcp")) - set(given("tcp", PHONE)) == {"--force-device-scale-factor=1"}


def test_a_phones_user_agent_has_the_version_of_the_browser_alone() -> None:
    words = user_agent("156.0.8078.108")
    assert words.endswith("Chrome/156.0.0.0 Mobile Safari/537.36")
    assert "(Linux; Android 10; K)" in words


def test_a_desktop_is_not_emulated() -> None:
    assert commands(DESKTOP, Viewport(1280, 720), version="156.0.8078.108") == slowing(DESKTOP) == []
    assert slowing(replace(PHONE, processor_slowdown=6)) == [("Emulation.setCPUThrottlingRate", {"rate": 6})]


def test_a_screenshot_is_cut_to_the_size_of_the_film() -> None:
    file = BytesIO()
    Image.new("RGB", (721, 1441)).save(file, "PNG")
    assert Image.open(BytesIO(as_filmed(file.getvalue(), PHONE, Viewport(412, 823)))).size == (720, 1440)
    assert as_filmed(file.getvalue(), DESKTOP, Viewport(721, 1441)) == file.getvalue()


NSENTER = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
sys.exit(child.wait() + 128)
"""


def test_what_the_starter_started_is_killed_and_it_tells_the_kernel_that_it_knows(tmp_path: Path) -> None:
    started = subprocess.Popen([sys.executable, "-c", NSENTER], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    child = int(started.stdout.readline())
    (tmp_path / "chromium.pid").write_text(f"{started.pid}\n")
    Starter(tmp_path).kill()
    assert started.wait(5) == 128 - 9
    assert not Path(f"/proc/{child}").exists()
    started.stdout.close()


def test_a_browser_that_never_began_needs_no_killing(tmp_path: Path) -> None:
    Starter(tmp_path).kill()


def test_chromium_itself_is_started_where_the_program_on_path_is_debians_script(tmp_path: Path) -> None:
    script, binary, itself = (tmp_path / name for name in ("script", "binary", "itself"))
    script.write_text("#!/bin/sh\n")
    for path in (binary, itself):
        path.write_bytes(b"\x7fELF")

    assert program(str(script), (script, itself)) == str(itself)
    assert program(str(binary), (binary, itself)) == str(binary)
    assert program(str(script), (script, tmp_path / "none")) == str(script)
    # a wrapper of somebody else's, before Debian's on PATH
    assert program(str(script), (binary, itself)) == str(script)
    assert program(None, (script, itself)) == "chromium"
