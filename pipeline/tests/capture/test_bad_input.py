"""What goes wrong is told in one sentence with its exit status, and what was captured stays."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from eyelevel.errors import Exit
from tests.loads.needs import needs_testbed
from tests.loads.recordings import BUSY, RESTLESS, record

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "bad-input"
seed = 11
networks = ["DSL"]
stacks = ["TCP+"]
pairs = []
limit_s = 4
viewport = {{ width_px = 640, height_px = 360 }}

[[sites]]
name = "site"
recording = "{recording}"
"""
CAPTURE = (sys.executable, "-m", "eyelevel", "capture")


WITHOUT_RESPONSES = (
    b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
)
WITHOUT_RESPONSES += b"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n"


def command(folder: Path, recording: Path) -> list[str]:
    (folder / "campaign.toml").write_text(CAMPAIGN.format(recording=recording))
    return [*CAPTURE, str(folder / "campaign.toml"), "--out", str(folder / "batch"), "--no-calibrate", "--no-probe"]


def refused(command: Sequence[str], status: Exit) -> str:
    """The one sentence on stderr."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stderr.strip().splitlines()
    assert (done.returncode, len(lines)) == (status, 1), done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.parametrize(
    ("bytes_of", "sentence"),
    [
        (lambda whole: whole[: len(whole) // 2], "is broken at record"),
        (lambda _: b"", "the file is empty; record the site again"),
        (lambda _: WITHOUT_RESPONSES, "contains no HTTP response; record the site again"),
        (lambda _: b"this is no WARC\n" * 50, "is broken at record 1"),
    ],
    ids=["torn", "empty", "without responses", "no WARC"],
)
def test_a_recording_of_no_use_is_refused_before_anything_is_filmed(
    tmp_path: Path, bytes_of: Callable[[bytes], bytes], sentence: str
) -> None:
    recording = tmp_path / "site.warc.gz"
    recording.write_bytes(bytes_of((FIXTURES / "garden.warc.gz").read_bytes()))
    message = refused(command(tmp_path, recording), Exit.BAD_INPUT)
    assert sentence in message
    assert "site.warc.gz" in message
    assert not (tmp_path / "batch" / "takes").exists()


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.parametrize("right", ["sys_admin", "net_admin"])
def test_without_the_right_to_namespaces_it_is_said_what_is_needed(tmp_path: Path, right: str) -> None:
    bounded = ["setpriv", f"--bounding-set=-{right}", "--inh-caps=-all"]
    message = refused([*bounded, *command(tmp_path, FIXTURES / "garden.warc.gz")], Exit.NOT_PERMITTED)
    assert "needs root, or the right to create namespaces" in message


@pytest.mark.browser
def test_a_tool_that_is_missing_is_named_with_its_package(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("ffmpeg", "ffprobe"):
        (programs / name).symlink_to(shutil.which(name) or name)
    message = refused(["env", f"PATH={programs}", *command(tmp_path, FIXTURES / "garden.warc.gz")], Exit.TOOL_MISSING)
    assert "chromium is missing; install it with: apt-get install chromium" in message


def chromium_of(batch: Path) -> int:
    """The browser's own process that films for this batch, once it is there."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for path in Path("/proc").glob("[0-9]*"):
            line = _line(path)
            if "--user-data-dir=" in line and "--type=" not in line and "chromium" in line.split()[0]:
                ancestor = path
                while ancestor.name not in ("0", "1"):
                    if "eyelevel.loads.inside" in _line(ancestor) and str(batch) in _line(ancestor):
                        return int(path.name)
                    ancestor = _parent(ancestor)
        time.sleep(0.05)
    pytest.fail("no Chromium came")


def _line(process: Path) -> str:
    with suppress(OSError):
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def _parent(process: Path) -> Path:
    with suppress(OSError):
        return process.with_name((process / "stat").read_text().rpartition(")")[2].split()[1])
    return process.with_name("0")


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_dead_chromium_is_void_and_replaced_and_a_page_that_never_settles_is_kept_as_censored(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    begun = [*command(tmp_path, record(tmp_path / "restless.warc.gz", RESTLESS)), "--no-clips"]
    campaign = tmp_path / "campaign.toml"
    # the first attempt is void because its browser is killed
    more = "limit_s = 4\nmax_attempts = 2\nmax_outside_share = 1"
    campaign.write_text(campaign.read_text().replace("limit_s = 4", more))
    process = subprocess.Popen(begun, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    browser = chromium_of(batch)
    film = next(batch.glob(".attempts/*/changes"), None)
    until = time.monotonic() + 20
    while film is None and time.monotonic() < until:
        time.sleep(0.05)
        film = next(batch.glob(".attempts/*/changes"), None)
    time.sleep(1.5)  # the page is there, and being filmed
    os.kill(browser, signal.SIGKILL)
    _, stderr = process.communicate(timeout=120)

    assert process.returncode == 0, stderr
    lines = [json.loads(line) for line in (batch / "attempts.jsonl").read_text().splitlines()]
    assert [(line["attempt"], line["outcome"], line["cause"]) for line in lines] == [
        (1, "void", "process died"), (2, "censored", None)
    ]  # fmt: skip
    # told at once: nobody waited for an answer (30 s) of a browser that was gone
    assert lines[0]["wall_s"] < 25
    take = json.loads((batch / "takes" / "site" / "DSL" / "TCP+" / "run-01" / "take.json").read_text())
    assert (take["outcome"], take["settled_ms"], take["given_up"]) == ("unsettled", None, None)
    assert take["metrics"]["plt_ms"] > 0
    (row,) = json.loads((batch / "report.json").read_text())["stacks"]
    assert (row["void"], row["censored"], row["censored_rate"]) == (1, 1, 1.0)
    assert "did not settle" in stderr or "censored" in stderr


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_page_whose_script_never_ends_is_kept_as_censored(tmp_path: Path) -> None:
    begun = [*command(tmp_path, record(tmp_path / "busy.warc.gz", BUSY)), "--no-clips"]
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        campaign.read_text().replace("limit_s = 4", "limit_s = 4\nmax_attempts = 1\nmax_outside_share = 1")
    )
    done = subprocess.run(begun, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "batch" / "attempts.jsonl").read_text().splitlines()]
    assert [line["outcome"] for line in lines] == ["censored"]
    take = json.loads((tmp_path / "batch/takes/site/DSL/TCP+/run-01/take.json").read_text())
    assert (take["outcome"], take["settled_ms"], take["metrics"]["plt_ms"]) == ("unsettled", None, None)
    assert take["metrics"]["fvc_ms"] is not None


FULL = """
mount -t tmpfs -o size=250m tmpfs "$1" && mkdir "$1/batch" || exit 99
(
  until [ -e "$1"/batch/.attempts/*/changes ]; do sleep 0.05; done
  dd if=/dev/zero of="$1/ballast" bs=1M status=none 2>/dev/null
) &
filler=$!
shift
"$@"
echo "status $?"
kill $filler 2>/dev/null
rm -f "$BALLAST"
cat "$BATCH"/attempts.jsonl 2>/dev/null
exec "$@" --dry-run >/dev/null
"""


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_disk_that_gets_full_while_a_film_is_made_ends_capture_and_uses_up_no_attempt(tmp_path: Path) -> None:
    """What the programs of an attempt make of a full disk; tests/test_disk.py has a campaign that goes on."""
    disk = tmp_path / "disk"
    disk.mkdir()
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(recording=FIXTURES / "garden.warc.gz"))
    capture = [*CAPTURE, str(tmp_path / "campaign.toml"), "--out", str(disk / "batch"), "--no-calibrate", "--no-probe"]
    ended = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", FULL, "sh", str(disk), *capture],
        capture_output=True, text=True, check=False,
        env={**os.environ, "BATCH": str(disk / "batch"), "BALLAST": str(disk / "ballast")},
    )  # fmt: skip
    assert ended.stdout.splitlines() == [f"status {Exit.NO_ROOM.value}"], ended.stderr
    assert f"The disk of {disk / 'batch'} is full" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "1 runs, 0 taken; 1 to go" in ended.stderr  # the dry run, once there is space again
