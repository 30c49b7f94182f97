"""The loads that a check makes; the browser is played here."""

import json
from pathlib import Path
from typing import Any

from eyelevel.loads.inside.request import LoadRequest
from eyelevel.loads.site import Site
from eyelevel.replay.check import check
from eyelevel.stacks import Stack
from eyelevel_core.comparability.visible import reason
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.run import Run
from tests.loads import pages
from tests.loads.recordings import record
from tests.loads.seen import DEFAULTS, wire
from tests.replay.test_classify import answered, asked, frame

VIEWPORT = Viewport(64, 48)
SHEET = f"{pages.PAGE}tooltip.css"
STACKS = {
    "TCP+": Stack("TCP+", "ab" * 32, {"transport": "tcp", "http": "2"}),
    "QUIC": Stack("QUIC", "cd" * 32, {"transport": "quic", "alt_svc": False}),
}
WHITE, GREY = ((value,) * 3 for value in (255, 200))


class Loads:
    """Stands for a Loader of a page with a style sheet that a stack in `lack` misses; `blocked` shows that colour."""

    def __init__(self, scratch: Path, lack: tuple[str, ...], blocked: tuple[int, int, int]) -> None:
        self.stacks, self.scratch, self.lack, self.blocked = STACKS, scratch, lack, blocked
        self.made: list[tuple[str, tuple[str, ...]]] = []

    def knowing(self, *_: object) -> "Loads":
        return self

    def load(self, folder: Path, site: Site, run: Run, request: LoadRequest, **_: Any) -> Path:
        self.made.append((run.stack, request.blocked))
        document, sheet = asked(pages.PAGE, "document", status=200), asked(SHEET, "stylesheet")
        page = {"frames": [frame()], "requests": [document, sheet], "named_scripts": None}
        served = [answered(document, "exact"), answered(sheet, "miss" if run.stack in self.lack else "exact")]
        folder.mkdir(parents=True)
        for name, value in {
            "inside.json": DEFAULTS, "page.json": page,
            "wire.json": wire(requests=[{**entry, "begun_ms": 1.0} for entry in served]),
        }.items():  # fmt: skip
            (folder / name).write_text(json.dumps(value))
        shown = self.blocked if request.blocked else WHITE
        (folder / "screenshot.png").write_bytes(pages.painted(VIEWPORT.width_px, VIEWPORT.height_px, shown))
        return folder


def checked(tmp_path: Path, *lack: str, blocked: tuple[int, int, int] = WHITE) -> tuple[str | None, Loads]:
    """Why the site is excluded, and the loads."""
    site = Site("plain", record(tmp_path / "plain.warc.gz", b"<p>", pages.PAGE), "ab" * 32, None)
    loads = Loads(tmp_path / "scratch", lack, blocked)
    found = check(loads, site, VIEWPORT, page_seed=5, volatile=None, mask=None)  # type: ignore[arg-type]  # a stand-in
    assert len(found.screenshots) == len(found.check.loads) == 2
    return reason(found.check), loads


BOTH: list[tuple[str, tuple[str, ...]]] = [("TCP+", ()), ("QUIC", ())]


def test_a_sheet_that_one_stack_lacks_counts_by_what_blocking_it_changes_over_the_other(tmp_path: Path) -> None:
    why, loads = checked(tmp_path, "QUIC")
    assert (why, loads.made) == (None, [*BOTH, ("TCP+", ("//plain.example/tooltip.css",))])
    why, loads = checked(tmp_path, "TCP+", blocked=GREY)
    assert why == "100.0% of the viewport was missed or inexact with TCP+, above 10%"
    assert loads.made[-1] == ("QUIC", ("//plain.example/tooltip.css",))


def test_a_sheet_that_no_stack_has_excludes_the_site_and_nothing_else_is_loaded(tmp_path: Path) -> None:
    why, loads = checked(tmp_path, "TCP+", "QUIC")
    assert (why, loads.made) == (f"a style sheet was missed with TCP+ ({SHEET})", BOTH)
    assert checked(tmp_path)[0] is None
