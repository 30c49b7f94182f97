"""The two loads from which volatile parameters are learned: their seeds and their dates."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eyelevel.loads.inside.request import LoadRequest
from eyelevel.loads.site import Site
from eyelevel.replay.learn import learn_volatile
from eyelevel.stacks import Stack
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.run import Run
from tests.loads.recordings import record
from tests.loads.seen import wire

URL = "https://restless.example/"
TCP = Stack("TCP+", "ab" * 32, {"transport": "tcp", "http": "2"})


class Loads:
    """Stands for a Loader whose page asks for the URL with its day."""

    def __init__(self, scratch: Path) -> None:
        self.stacks, self.scratch = {"TCP+": TCP}, scratch
        self.dates: list[datetime] = []
        self.seeds: list[int] = []

    def load(self, folder: Path, site: Site, run: Run, request: LoadRequest, **_: Any) -> Path:
        start_ms = next(int(found) for found in re.findall(r"\d{13}", request.script))
        self.dates.append(datetime.fromtimestamp(start_ms / 1000, UTC))
        self.seeds.append(run.page_seed)
        folder.mkdir(parents=True)
        asked = {
            "url": f"{URL}?day={self.dates[-1]:%Y-%m-%d}", "method": "GET", "kind": "inexact", "matched_url": URL,
            "status": 200, "body_bytes": 10, "begun_ms": 1.0,
        }  # fmt: skip
        (folder / "wire.json").write_text(json.dumps(wire(requests=[asked])))
        return folder


def test_day_hour_minute_and_second_differ_between_the_loads_so_that_dates_are_learned(tmp_path: Path) -> None:
    site = Site("restless", record(tmp_path / "restless.warc.gz", b"<p>", URL), "ab" * 32, None)
    loads = Loads(tmp_path / "scratch")
    found = learn_volatile(loads, site, Viewport(1280, 720))  # type: ignore[arg-type]  # a stand-in
    assert [f"{date:%Y-%m-%d %H:%M:%S}" for date in loads.dates] == ["2018-02-20 12:00:00", "2018-02-21 13:01:01"]
    assert len(set(loads.seeds)) == 2
    assert [parameter.parameter for parameter in found.parameters] == ["day"]
