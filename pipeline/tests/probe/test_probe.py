"""A probe films its loads once each, resumes, and says in a sentence what went wrong; the worker is played here."""

import json
import shutil
import subprocess
from collections.abc import Callable, Collection
from dataclasses import replace
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
from eyelevel_core.model.mask import Mask
from tests.loads.recordings import record
from tests.loads.seen import DEFAULTS, wire

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")

VIEWPORT = Viewport(64, 48)
STACKS = {
    "TCP+": Stack("TCP+", "ab" * 32, {"transport": "tcp", "http": "2"}),
    "QUIC": Stack("QUIC", "cd" * 32, {"transport": "quic", "alt_svc": False}),
}
# a page that turns from white to grey, and whose first tile then changes every 3 s; and one that comes to rest
TIMES_MS = [-50.0, 200.0, *(1_000.0 + 3_000 * n for n in range(11))]
STILL_MS = TIMES_MS[:2]


class Player:
    """Leaves what the worker would; `fails` are the statuses of the first films, `seen` changes inside.json.

    The films of `still` numbers come to rest.
    """

    def __init__(self, *fails: int, still: Collection[int] = (), **seen: Any) -> None:
        self.fails, self.seen, self.films, self.still = list(fails), seen, 0, still
        self.requests: list[dict[str, Any]] = []

    def film(self, job: Job, _following: list[Job], *, limit_s: float) -> int:
        assert limit_s > 90
        self.films += 1
        self.requests.append(json.loads((job.folder / "request.json").read_text()))
        if self.fails and (status := self.fails.pop(0)):
            (job.folder / "void.json").write_text(json.dumps({"cause": "process died", "detail": "played"}))
            return status
        times_ms = STILL_MS if self.films in self.still else TIMES_MS
        seen = {**DEFAULTS, "load_ms": 700.0, "settled_ms": 31_500.0, "end_ms": 31_600.0} | self.seen
        for name, value in {
            "inside.json": seen,
            "wire.json": wire(start_url="https://restless.example/"),
            "frames.json": {"times_ms": times_ms, "end_ms": 31_600.0},
            "responses.json": [],
        }.items():
            (job.folder / name).write_text(json.dumps(value))
        _film(job.folder / "film.mkv", pictures=len(times_ms))
        return 0

    def drop(self) -> None:
        pass


def _film(path: Path, *, pictures: int) -> None:
    shown = []
    for number in range(pictures):
        picture = np.full((48, 64, 3), 255 if number == 0 else 200, np.uint8)
        if number > 1:
            picture[:16, :16] = np.random.default_rng(number).integers(0, 255, (16, 16, 3))
        shown.append(picture.tobytes())
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "64x48"]
    command += ["-i", "pipe:0", "-c:v", "libx264rgb", "-crf", "0", str(path)]
    subprocess.run(command, input=b"".join(shown), check=True)


@pytest.fixture(autouse=True)
def _free_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No other capture has to wait for these."""
    locked = partial(alone, films=tmp_path / "films.lock", clips=tmp_path / "clips.lock")
    monkeypatch.setattr(unlimited, "alone", locked)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site("restless", record(tmp_path / "restless.warc.gz", b"<p>page"), "ab" * 32, None)


def prober(tmp_path: Path, player: Player) -> Prober:
    (tmp_path / "scratch").mkdir(exist_ok=True)
    return Prober(Loader(Path("testbed"), STACKS, player, tmp_path / "scratch"))  # type: ignore[arg-type]


def probed(tmp_path: Path, player: Player, site: Site, tell: Callable[..., None] = lambda *_: None) -> Mask:
    """The mask of a page alone."""
    [(of, mask)] = probe(lambda _: prober(tmp_path, player), [site], lambda _: VIEWPORT, tell=tell)
    assert of == site
    assert isinstance(mask, Mask)
    return mask


def test_a_page_that_never_rests_takes_four_whole_loads_over_both_stacks_in_turn(tmp_path: Path, site: Site) -> None:
    player, steps = Player(), []
    mask = probed(tmp_path, player, site, lambda _, *step: steps.append(step))
    assert [load.stack for load in mask.loads] == ["TCP+", "QUIC", "TCP+", "QUIC"]
    assert (mask.start_url, mask.rows) == ("https://restless.example/", ("##..", "##..", "...."))
    assert [load.watched_from_ms for load in mask.loads] == [1_500.0] * 4
    asked = {(request["quiet_ms"], request["watched_ms"], request["rest_ms"]) for request in player.requests}
    assert asked == {(500.0, 30_000.0, None)}
    assert len({load.page_seed for load in mask.loads}) == 4
    assert steps == [
        ("load 1", 0, 52), ("load 2", 34, 144), ("load 3", 68, 144), ("load 4", 102, 144), ("learning", 136, 144),
    ]  # fmt: skip
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_page_that_comes_to_rest_takes_a_whole_load_and_one_until_it_rests(tmp_path: Path, site: Site) -> None:
    player, steps = Player(still=range(1, 3)), []
    mask = probed(tmp_path, player, site, lambda _, *step: steps.append(step))
    assert (mask.still, [load.stack for load in mask.loads]) == (True, ["TCP+", "QUIC"])
    assert [request["rest_ms"] for request in player.requests] == [None, 10_500.0]
    assert steps == [("load 1", 0, 52), ("load 2", 34, 52), ("learning", 48, 52)]


@pytest.mark.parametrize(
    ("still", "films", "masked"), [({1}, 5, True), ({2}, 5, True), ({1, 2}, 2, False), ({2, 3}, 3, False)]
)
def test_one_odd_load_decides_nothing(
    still: Collection[int], films: int, masked: bool, tmp_path: Path, site: Site
) -> None:
    player = Player(still=still)
    mask = probed(tmp_path, player, site)
    assert (player.films, mask.still) == (films, not masked)
    whole = [request["rest_ms"] is None for request in player.requests]
    assert whole == [True, 1 not in still, *[True] * (films - 2)]


def test_a_probe_goes_on_with_the_load_at_which_it_was_stopped(tmp_path: Path, site: Site) -> None:
    first = Player()
    for number in (1, 2):
        prober(tmp_path, first).load(site, VIEWPORT, number, until_rest=False)
    (prober(tmp_path, first).folder(site, VIEWPORT) / "load-3.part").mkdir()  # a killed one
    again = Player()
    probed(tmp_path, again, site)
    assert (first.films, again.films) == (2, 2)


def test_pages_that_do_not_load_stop_no_other_and_a_page_is_learned_beside_the_next(tmp_path: Path, site: Site) -> None:
    pages = [
        replace(site, name=name, digest=digit * 64) for name, digit in (("one", "1"), ("two", "2"), ("three", "3"))
    ]
    player = Player(*[0] * 2, *[VOID_STATUS] * 4, still=range(1, 9))
    messages: list[str] = []
    masks = probe(
        lambda _: prober(tmp_path, player),
        pages,
        lambda _: VIEWPORT,
        tell=lambda name, words, *_: messages.append(f"{name} {words}"),
    )
    found = [(probed_site.name, isinstance(mask, Mask)) for probed_site, mask in masks]
    assert sorted(found) == [("one", True), ("three", True), ("two", False)]
    assert messages == [
        "one load 1", "one load 2", "one learning", "two load 1", "three load 1", "three load 2", "three learning",
    ]  # fmt: skip
    assert list((tmp_path / "scratch").glob("[13]*")) == []


def test_a_void_load_is_tried_again_and_given_up_after_four_times(tmp_path: Path, site: Site) -> None:
    player = Player(VOID_STATUS, VOID_STATUS)
    prober(tmp_path, player).load(site, VIEWPORT, 1, until_rest=False)
    assert player.films == 3
    words = r"^Load 2 of the probe of restless was void 4 times, last: process died: played\. Run the command"
    with pytest.raises(PageFailedError, match=words):
        prober(tmp_path, Player(*[VOID_STATUS] * 4)).load(site, VIEWPORT, 2, until_rest=False)


def test_a_page_that_does_not_load_is_reported(tmp_path: Path, site: Site) -> None:
    words = r"did not load over TCP\+ without network limits \(its load event did not fire within 90 s, or it keeps"
    with pytest.raises(PageFailedError, match=words):
        prober(tmp_path, Player(load_ms=None)).load(site, VIEWPORT, 1, until_rest=False)


def test_of_a_page_whose_network_is_never_quiet_the_last_30_s_are_watched(tmp_path: Path, site: Site) -> None:
    folder = prober(tmp_path, Player(settled_ms=None, end_ms=90_000.0)).load(site, VIEWPORT, 1, until_rest=False)
    assert loads.read_load(folder)[1].facts.watched_from_ms == 60_000


def test_a_load_that_ended_at_rest_is_watched_from_when_its_network_was_quiet(tmp_path: Path, site: Site) -> None:
    player = Player(still=[1], settled_ms=11_700.0, end_ms=11_800.0)
    folder = prober(tmp_path, player).load(site, VIEWPORT, 1, until_rest=True)
    assert (loads.read_load(folder)[1].facts.watched_from_ms, loads.rested(folder)) == (1_200.0, True)
