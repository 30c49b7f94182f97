"""The fixture page for Saif et al. 2020 is their table I, as a real Chromium loads it through the testbed."""

import importlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from warcio.archiveiterator import ArchiveIterator

from eyelevel.built import find_testbed
from eyelevel.loads.inside.measuring.browser_metrics import LONG_TASK_MS, cls, entries_of
from eyelevel.recorded import responses
from tests.loads.needs import needs_testbed

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
INSIDE = Path(__file__).with_name("saif2020_inside.py")
KB = 1024
# table I of the paper: requests and KB of transfer by type
TABLE_I = {"Image": (12, 797), "Stylesheet": (2, 48), "Font": (1, 31), "Document": (1, 4), "Script": (1, 3)}
LARGEST_KB = {"saif2020-alike": 797 / 12, "saif2020-large": 400}
# the paper's page has no long task; on a slow processor its layout is one, longer than 50 ms by at most this
SLOW_LAYOUT_MS = 100
WAYS = {"TCP": ("tcp", "h2"), "QUIC": ("quic", "h3")}


def loaded(site: str, stack: str, folder: Path) -> dict[str, Any]:
    inside = [sys.executable, str(INSIDE), WAYS[stack][0], str(folder)]
    done = subprocess.run(
        [find_testbed(), "run", "--recording", FIXTURES / f"{site}.warc.gz", "--stack", stack, "--network", "DSL",
         "--seed", "1", "--report", folder / "wire.json", "--", *inside],
        env={**os.environ, "HOME": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
@pytest.mark.parametrize("stack", list(WAYS))
@pytest.mark.parametrize("site", list(LARGEST_KB))
def test_the_page_is_table_i_of_the_paper(site: str, stack: str, tmp_path: Path) -> None:
    found = loaded(site, stack, tmp_path)
    assert (found["elements"], found["depth"]) == (85, 11)
    requests = found["requests"]
    assert {request["protocol"] for request in requests} == {WAYS[stack][1]}
    assert {request["url"].split("/")[2] for request in requests} == {"saif2020.example"}
    for kind, (count, kilobytes) in TABLE_I.items():
        sizes = [request["bytes"] for request in requests if request["type"] == kind]
        assert len(sizes) == count, kind
        assert sum(sizes) == pytest.approx(kilobytes * KB, abs=KB), kind
    assert len(requests) == 17
    assert sum(request["bytes"] for request in requests) == pytest.approx(883 * KB, abs=KB)
    largest = max(requests, key=lambda request: request["bytes"] if request["type"] == "Image" else 0)
    assert largest["bytes"] == pytest.approx(LARGEST_KB[site] * KB, abs=KB)
    assert found["decoded"] == [[2080, 480], *[[660, 352]] * 11]
    assert found["fonts"] == ["loaded"]
    entries = entries_of(found["answer"], zero_ms=found["answer"]["origin"])
    assert sum(end - start - LONG_TASK_MS for start, end in entries.long_tasks or ()) <= SLOW_LAYOUT_MS
    assert cls(entries.shifts or ()) == pytest.approx(0.003, abs=0.002)
    assert str((entries.candidates or ())[-1].url).endswith("/0.jpg")
    # a browser that does not know that the server obeys priorities asks for most pictures after the layout, as urgent
    served = json.loads((tmp_path / "wire.json").read_text())["server"]["requests"]
    assert Counter(request["priority"] for request in served if request["url"].endswith(".jpg")) == {
        "u=2, i": 5,
        "i": 7,
    }


def test_the_script_makes_what_the_recordings_have_but_for_the_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FIXTURES))
    make_saif2020 = importlib.import_module("make_saif2020")
    white = [Image.new("RGB", (8, 8))] * 12
    monkeypatch.setattr(make_saif2020, "jpeg", lambda image, size: bytes(size))
    for site in LARGEST_KB:
        generated = list(make_saif2020.resources(site.removeprefix("saif2020-"), white))
        recorded = list(responses(FIXTURES / f"{site}.warc.gz"))
        assert [response.url for response in recorded] == [url for url, *_ in generated]
        sizes = [(response.url, response.body_bytes) for response in recorded]
        assert sizes == [(url, len(body)) for url, _, _, body, _ in generated]
        with (FIXTURES / f"{site}.warc.gz").open("rb") as file:
            texts = [
                record.content_stream().read() for record in ArchiveIterator(file) if record.rec_type == "response"
            ]
        assert texts[:5] == [body for _, _, _, body, _ in generated][:5]
