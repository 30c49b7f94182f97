"""Follows docs/tutorials/film-a-website.md: each command, in a network namespace as long as the website is served.

With every change it films one load of each stack and prepares nothing; the soak test films as the tutorial says.
"""

from pathlib import Path

import pytest
from platform_process import Platform
from tutorial import PLATFORM, Shell, command_blocks, like_a_clone, outputs, says

pytestmark = [pytest.mark.root, pytest.mark.browser, pytest.mark.services]

# The recording proxy drops its first record where there is no route, and without names nothing waits for their server.
ALONE = """
ip link set lo up
ip route add default dev lo
mount --bind /dev/null /etc/resolv.conf
exec "$@"
"""
INSIDE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-ec", ALONE, "sh")
# one short load of each stack in a small window, and few clips
QUICK = """runs = 1
quiet_ms = 400
viewport = {width_px = 640, height_px = 360}
clips = {researcher = false, control_delay_ms = 0}
"""
FEW = {"runs = 3\n": QUICK, "--out tutorial/batch": "--out tutorial/batch --no-probe --no-calibrate"}
ANSWERS = """python3 -c "import socket; socket.create_connection(('198.51.100.7', 80))" 2>&1"""
SERVED = f"until {ANSWERS} >/dev/null; do sleep 0.1; done"


@pytest.mark.parametrize("extent", ["few", pytest.param("whole", marks=pytest.mark.soak)])
def test_a_website_is_filmed(platform: Platform, batch: Path, tmp_path: Path, extent: str) -> None:
    make, serve, record, stop, check, capture, sheets, compare, push = command_blocks("film-a-website.md")
    served, recorded, passed, film, taken, clips, compared, fitted, published = outputs("film-a-website.md")
    clone = like_a_clone(tmp_path, platform.data, batch)
    with Shell(clone, replacements={}, inside=INSIDE) as alone:
        alone.run(make)
        printed = alone.run(serve) + alone.run(SERVED)
        assert says(printed, served), printed
        printed = alone.run(record)
        assert says(printed, recorded), printed
        alone.run(stop)
    names = {"name: first-study": "name: filmed", "My first study": "A filmed study"}
    replacements = {PLATFORM: platform.url} | names | (FEW if extent == "few" else {})
    with Shell(clone, replacements=replacements) as shell:
        shell.run(command_blocks("first-study.md")[0])
        printed = shell.run(check)
        assert says(printed, passed), printed
        printed = shell.run(capture)
        for expected in (film, taken, clips.partition(",")[0]):
            assert says(printed, expected), printed
        shell.run(sheets)
        printed = shell.run(compare)
        # of a single load nothing can be concluded
        assert extent == "few" or says(printed, compared.partition("QUIC is faster")[0]), printed
        printed = shell.run(push)
        assert says(printed, fitted), printed
        assert says(printed.replace(platform.url, PLATFORM), published), printed
    for name in ("check/check.html", "sheets/index.html", "compare/report.html"):
        assert (clone / "tutorial" / name).exists()
