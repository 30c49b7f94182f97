"""Real pages of several hosts, over TLS, are recorded and come again exactly as they drew themselves."""

import csv
import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from eyelevel.built import find_testbed
from eyelevel.errors import ToolMissingError
from eyelevel.record.proxy import find_warcprox
from eyelevel.recorded import records, responses, target_of
from eyelevel.recording import chance_seed, recorded_at_ms
from tests.loads.needs import needs_testbed
from tests.record.town import PICTURE, STYLE

HERE = Path(__file__).parent
UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
Told = subprocess.CompletedProcess[str]


def has_warcprox() -> bool:
    try:
        find_warcprox()
    except ToolMissingError:
        return False
    return True


pytestmark = [
    pytest.mark.skipif(not has_warcprox(), reason="warcprox is not installed (make record-tools)"),
    pytest.mark.browser,
    pytest.mark.root,
]


def in_town(folder: Path, *command: str) -> Told:
    """Run a command beside the town's servers."""
    (folder / "town").mkdir(exist_ok=True)
    return subprocess.run(
        [*UNSHARE, sys.executable, str(HERE / "town.py"), str(folder / "town"), *command],
        capture_output=True, text=True, check=False, timeout=240, env=_environment(),
    )  # fmt: skip


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def record(folder: Path, *arguments: str) -> Told:
    return in_town(folder, sys.executable, "-m", "eyelevel", "record", *arguments)


def replay(recording: Path, report: Path) -> tuple[str, dict[str, Any]]:
    """The title of the page in a replay, and the wire report."""
    done = subprocess.run(
        [str(find_testbed()), "run", "--recording", str(recording), "--stack", "TCP+", "--network", "DSL",
         "--seed", "1", "--report", str(report), "--", sys.executable, str(HERE / "replayed.py"), str(recording)],
        capture_output=True, text=True, check=False, timeout=120, env=_environment(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), json.loads(report.read_text())


def asked(wire: dict[str, Any], kind: str) -> list[str]:
    return [request["url"] for request in wire["server"]["requests"] if request["kind"] == kind]


@needs_testbed
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_page_that_draws_everything_by_chance_is_replayed_exactly(tmp_path: Path, scheme: str) -> None:
    out = tmp_path / "garden.warc.gz"
    done = record(tmp_path, f"{scheme}://garden.example/", "-o", str(out), "--seed", "41")
    assert done.returncode == 0, done.stderr
    assert chance_seed(out) == 41
    assert recorded_at_ms(out) % 60_000 == 0
    title, wire = replay(out, tmp_path / "wire.json")
    assert title == "garden, answered"
    # dates start at the same moment in each load and go on, so that a date in milliseconds is seldom the same
    dated = "https://ads.example/frame?ord"
    assert {url.partition("=")[0] for url in asked(wire, "inexact")} <= {dated}
    assert sum(url.startswith(dated) for url in (*asked(wire, "inexact"), *asked(wire, "exact"))) == 1
    assert [url for url in asked(wire, "miss") if not url.endswith("/favicon.ico")] == []
    exact = asked(wire, "exact")
    assert sum("//img.example/" in url for url in exact) == 3
    api = ("api.example/jsonp?", "api.example/visit/", "api.example/late/", "api.example/early/")
    for part in (*api, "img.example/moss.png?cb=", "ads.example/pixel/"):
        assert sum(part in url for url in exact) == 1, part


def fields(recording: Path) -> dict[str, str]:
    info = next(records(recording))
    lines = info.content_stream().read().decode().splitlines()
    return dict(line.split(": ", 1) for line in lines if line)


def test_the_recording_keeps_seed_date_and_screenshot_and_nothing_of_the_machine(tmp_path: Path) -> None:
    out = tmp_path / "teashop.warc.gz"
    done = record(tmp_path, "https://teashop.example/", "-o", str(out), "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert "'teashop', 4 responses of 2 hosts at 2 addresses (recorded)" in done.stderr
    info = fields(out)
    assert info["eyelevel-chance-seed"] == "7"
    assert info["eyelevel-page-date"].endswith(":00Z")
    assert {"hostname", "ip", "operator"} & set(info) == set()
    bodies = {response.url: (response.body_bytes, response.address) for response in responses(out)}
    # gzip as it came over the wire
    assert bodies["https://teashop.example/tea.css"] == (len(STYLE), "192.0.2.4")
    assert bodies["https://img.example/tea.png"] == (len(PICTURE), "192.0.2.2")
    picture = screenshot(out)
    assert picture.size == (1280, 720)
    assert picture.getpixel((1200, 700)) == (255, 255, 255)


def test_a_phone_records_what_it_is_sent(tmp_path: Path) -> None:
    out = tmp_path / "teashop.warc.gz"
    done = record(tmp_path, "https://teashop.example/", "-o", str(out), "--device", "phone")
    assert done.returncode == 0, done.stderr
    assert screenshot(out).size == (720, 1440)
    asked = [entry.http_headers for entry in records(out) if entry.rec_type == "request"]
    assert {headers.get_header("Sec-CH-UA-Mobile") for headers in asked} == {"?1"}
    assert all("Android" in headers.get_header("User-Agent") for headers in asked)


def screenshot(recording: Path) -> Image.Image:
    for entry in records(recording):
        if target_of(entry) == "urn:eyelevel:screenshot":
            assert entry.rec_headers.get_header("Content-Type") == "image/png"
            return Image.open(BytesIO(entry.content_stream().read()))
    raise AssertionError("no screenshot")


def report(path: Path) -> dict[str, dict[str, str]]:
    return {row["site"]: row for row in csv.DictReader(path.read_text().splitlines())}


def test_a_list_is_recorded_with_retries_a_second_visit_and_a_report_and_continues(tmp_path: Path) -> None:
    sites = tmp_path / "sites.txt"
    sites.write_text(
        "# the town\nhttps://www.garden.example/\nhttp://slow.example/ slow  # over http\nhttps://closed.example/\n"
    )
    out = tmp_path / "recordings"
    command = ["--list", str(sites), "--out", str(out), "--pause", "0", "--attempts", "2", "--seed", "3"]
    done = record(tmp_path, *command)
    assert done.returncode == 1, done.stderr
    rows = report(out / "recordings.csv")
    assert list(rows) == ["garden.example", "slow", "closed.example"]
    assert [row["outcome"] for row in rows.values()] == ["recorded", "recorded", "failed"]
    assert [row["attempts"] for row in rows.values()] == ["1", "2", "2"]
    assert rows["garden.example"] | {"hosts": "4", "addresses": "3", "visits": "2"} == rows["garden.example"]
    assert "Connection refused" in rows["closed.example"]["error"]
    assert not (out / "closed.example.warc.gz").exists()
    assert rows["slow"]["hosts_not_served"] == "127.0.0.2"
    assert "Warning: a replay cannot serve 127.0.0.2 (this machine's loopback" in " ".join(done.stderr.split())
    assert screenshot(out / "slow.warc.gz").size == (1280, 720)
    # the second visit drew other pictures; what both asked for is there once
    found = list(responses(out / "garden.example.warc.gz"))
    pictures = {visit: [r.url for r in found if r.host == "img.example" and r.visit == visit] for visit in (1, 2)}
    assert [len(urls) for urls in pictures.values()] == [3, 3]
    assert [r.visit for r in found if r.url == "https://www.garden.example/"] == [1]
    times = {path.name: path.stat().st_mtime_ns for path in out.glob("*.warc.gz")}
    again = record(tmp_path, *command, "--attempts", "1")
    assert again.returncode == 1, again.stderr
    assert {path.name: path.stat().st_mtime_ns for path in out.glob("*.warc.gz")} == times
    rows = report(out / "recordings.csv")
    assert [row["outcome"] for row in rows.values()] == ["kept", "kept", "failed"]
    # what the first command knew is not lost, unless the file was replaced
    assert [rows[name]["title"] for name in ("garden.example", "slow")] == ["garden, answered", "slow"]
    assert rows["garden.example"]["visits"] == "2"
    (out / "slow.warc.gz").touch()
    record(tmp_path, *command, "--attempts", "1")
    assert [row["title"] for row in report(out / "recordings.csv").values()] == ["garden, answered", "", ""]


def test_the_recorders_own_error_is_shown(tmp_path: Path) -> None:
    (tmp_path / "town").mkdir()
    done = record(tmp_path, "https://closed.example/", "-o", str(tmp_path / "x.warc.gz"))
    assert done.returncode == 7
    assert "eyelevel: https://closed.example/ could not be recorded: " in done.stderr
    assert "Connection refused" in done.stderr
    assert not list(tmp_path.glob("x.*"))
