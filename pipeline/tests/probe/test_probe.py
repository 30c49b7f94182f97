"""A probe films its loads once each, resumes, and says in a sentence what went wrong; the worker is played here."""

import json
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyelevel.errors import PageFailedError
from eyelevel.loads import unlimited
from eyelevel.loads.inside.request import Job
from eyelevel.loads.judgement import VOID_STATUS
from eyelevel.loads.site import Site
from eyelevel.loads.unlimited import Loader
from eyelevel.machine import alone
from eyelevel.probe import films as loads
from eyelevel.probe.films import Prober
from eyelevel.probe.run import probe
from eyelevel.stacks import Stack
from eyelevel_core.model.device import Viewport
from tests.loads.recordings import record
from tests.loads.seen import DEFAULTS, wire

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")

VIEWPORT = Viewport(64, 48)
STACKS = {
    "TCP+": Stack("TCP+", "ab" * 32, {"transport": "tcp", "http": "2"}),
    "QUIC": Stack("QUIC", "cd" * 32, {"transport": "quic", "alt_svc": False}),
}
# a page that turns from white to grey, and whose first tile then changes every 3 s
TIMES_MS = [-50.0, 200.0, *(1_000.0 + 3_000 * n for n in range(11))]


class Player:
    """Leaves what the worker would; `fails` are the statuses of the first films, `seen` changes inside.json."""

    def __init__(self, *fails: int, **seen: Any) -> None:
        self.fails, self.seen, self.films = list(fails), seen, 0
        self.requests: list[dict[str, Any]] = []

    def film(self, job: Job, _following: list[Job], *, limit_s: float) -> int:
        assert limit_s > 90
        self.films += 1
        self.requests.append(json.loads((job.folder / "request.json").read_text()))
        if self.fails and (status := self.fails.pop(0)):
            (job.folder / "void.json").write_text(json.dumps({"cause": "process died", "detail": "played"}))
            return status
        seen = {**DEFAULTS, "load_ms": 700.0, "settled_ms": 31_500.0, "end_ms": 31_600.0} | self.seen
        for name, value in {
            "inside.json": seen,
            "wire.json": wire(start_url="https://restless.example/"),
            "frames.json": {"times_ms": TIMES_MS, "end_ms": 31_600.0},
            "responses.json": [],
        }.items():
            (job.folder / name).write_text(json.dumps(value))
        _film(job.folder / "film.mkv")
        return 0

    def drop(self) -> None:
        pass


def _film(path: Path) -> None:
    pictures = []
    for number, _ in enumerate(TIMES_MS):
        picture = np.full((48, 64, 3), 255 if number == 0 else 200, np.uint8)
        if number > 1:
            picture[:16, :16] = np.random.default_rng(number).integers(0, 255, (16, 16, 3))
        pictures.append(picture.tobytes())
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "64x48"]
    command += ["-i", "pipe:0", "-c:v", "libx264rgb", "-crf", "0", str(path)]
    subprocess.run(command, input=b"".join(pictures), check=True)


@pytest.fixture(autouse=True)
def _free_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No other capture has to wait for these."""
    own = partial(alone, films=tmp_path / "films.lock", clips=tmp_path / "clips.lock")
    monkeypatch.setattr(unlimited, "alone", own)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site("restless", record(tmp_path / "restless.warc.gz", b"<p>page"), "ab" * 32, None)


def prober(tmp_path: Path, player: Player) -> Prober:
    (tmp_path / "scratch").mkdir(exist_ok=True)
    return Prober(Loader(Path("testbed"), STACKS, player, tmp_path / "scratch"))  # type: ignore[arg-type]


def test_five_loads_over_both_stacks_in_turn_give_a_mask(tmp_path: Path, site: Site) -> None:
    player, told = Player(), []
    mask = probe(prober(tmp_path, player), site, VIEWPORT, tell=lambda *step: told.append(step))
    assert [load.stack for load in mask.loads] == ["TCP+", "QUIC", "TCP+", "QUIC", "TCP+"]
    assert (mask.start_url, mask.rows) == ("https://restless.example/", ("##..", "##..", "...."))
    assert [load.watched_from_ms for load in mask.loads] == [1_500.0] * 5
    assert all(request["network_only"] and request["quiet_ms"] == 30_500 for request in player.requests)
    assert len({load.page_seed for load in mask.loads}) == 5
    assert told[0] == ("load 1 of 5", 0, 15)
    assert told[-1] == ("learning", 15, 15)
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_probe_goes_on_with_the_load_at_which_it_was_stopped(tmp_path: Path, site: Site) -> None:
    first = Player()
    for number in (1, 2):
        prober(tmp_path, first).load(site, VIEWPORT, number)
    (prober(tmp_path, first).folder(site, VIEWPORT) / "load-3.part").mkdir()  # a killed one
    again = Player()
    probe(prober(tmp_path, again), site, VIEWPORT, tell=lambda *_: None)
    assert (first.films, again.films) == (2, 3)


def test_a_void_load_is_tried_again_and_given_up_after_four_times(tmp_path: Path, site: Site) -> None:
    player = Player(VOID_STATUS, VOID_STATUS)
    prober(tmp_path, player).load(site, VIEWPORT, 1)
    assert player.films == 3
    words = r"^Load 2 of the probe of restless was void 4 times, last: process died: played\. Run the command"
    with pytest.raises(PageFailedError, match=words):
        prober(tmp_path, Player(*[VOID_STATUS] * 4)).load(site, VIEWPORT, 2)


def test_a_page_that_does_not_load_is_told(tmp_path: Path, site: Site) -> None:
    words = r"did not load over TCP\+ without network limits \(its load event did not fire within 90 s, or it keeps"
    with pytest.raises(PageFailedError, match=words):
        prober(tmp_path, Player(load_ms=None)).load(site, VIEWPORT, 1)


def test_of_a_page_that_polls_the_last_30_s_are_watched(tmp_path: Path, site: Site) -> None:
    folder = prober(tmp_path, Player(settled_ms=None, end_ms=90_000.0)).load(site, VIEWPORT, 1)
    assert loads.read_load(folder)[1].told.watched_from_ms == 60_000
