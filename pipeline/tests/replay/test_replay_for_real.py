"""Replay checks with planted damage, and learning, in a real browser over the real testbed."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eyelevel.built import find_testbed
from eyelevel.errors import PageFailedError
from eyelevel.loads.site import Site
from eyelevel.loads.unlimited import Loader, loader, served
from eyelevel.loads.visit import visit
from eyelevel.replay.check import Checked, check
from eyelevel.replay.learn import learn_volatile
from eyelevel.replay.pictures import changed
from eyelevel.stacks import chosen, stacks
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.masks import read_mask
from eyelevel_core.batch_folder.volatile import write_volatile
from eyelevel_core.comparability.addresses import place
from eyelevel_core.comparability.boxes import union_px
from eyelevel_core.comparability.visible import all_gates, gates, reason
from eyelevel_core.contracts import sha256_of_bytes, sha256_of_file
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.replay_check import Kind, Match
from eyelevel_core.model.volatile import Callback
from tests.loads import pages
from tests.loads.needs import needs_testbed
from tests.loads.recordings import record

pytestmark = [needs_testbed, pytest.mark.root, pytest.mark.browser, pytest.mark.realtime]
VIEWPORT = Viewport(pages.WIDTH_PX, pages.HEIGHT_PX)
FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "prepared"
max_attempts = 1
max_outside_share = 1  # see campaigns.py
seed = 11
networks = ["DSL"]
stacks = ["TCP+"]
runs = 1
quiet_ms = 400

[[sites]]
name = "garden"
recording = "garden.warc.gz"
"""
Look = Callable[..., Checked]


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loader]:
    testbed = find_testbed()
    arms = chosen(stacks(testbed), ["TCP+"], source=Path("the test"))
    with loader(testbed, arms, tmp_path_factory.mktemp("scratch"), waits=lambda _: None) as ready:
        yield ready


def site_of(recording: Path) -> Site:
    return Site("plain", recording, sha256_of_file(recording), None)


@pytest.fixture
def checked(ready: Loader, tmp_path: Path) -> Look:
    def run(*without: str, screenshot: bytes | None = None) -> Checked:
        recording = pages.write(tmp_path / "plain.warc.gz", without=without, screenshot=screenshot)
        return check(ready, site_of(recording), VIEWPORT, page_seed=5, volatile=None, mask=None)

    return run


def test_missing_beacons_late_scripts_small_frames_and_an_inexact_icon_exclude_nothing(checked: Look) -> None:
    found = checked(pages.LATE_SCRIPT, pages.FRAME, pages.FRAME_BELOW)
    (load,) = found.check.loads
    assert reason(found.check) is None
    by_kind = {kind: [request for request in load.requests if request.kind is kind] for kind in Kind}
    assert [request.match for request in by_kind[Kind.BEACON]] == [Match.MISSED] * 50
    assert [(request.match, request.needed) for request in by_kind[Kind.SCRIPT]] == [(Match.MISSED, False)]
    below, frame = sorted(by_kind[Kind.FRAME], key=lambda request: request.url)
    assert {(request.match, request.needed) for request in (below, frame)} == {(Match.MISSED, False)}
    assert below.boxes == ()
    assert [(box[0], box[2]) for box in frame.boxes or ()] == [(8, 124)]
    icon, bullet = sorted(by_kind[Kind.IMAGE], key=lambda request: request.match)
    assert (icon.match, icon.matched_url, bullet.match) == (Match.INEXACT, pages.ICON, Match.MISSED)
    assert (icon.boxes, bullet.boxes) != (None, None)
    assert [box[2:] for box in icon.boxes or ()] == [(16, 16)]
    assert [(box[0], *box[2:]) for box in bullet.boxes or ()] == [(8 + 570, 30, 30)]
    share = (pages.ICONS_PX + union_px(frame.boxes or ())) / pages.VIEWPORT_PX
    assert all_gates(found.check)[0].painted_share == pytest.approx(share)
    assert set(load.needed) == {pages.PAGE, pages.SHEET, pages.TOOLTIP, pages.HEAD_SCRIPT, pages.FRAME}


def test_a_missing_picture_in_the_viewport_excludes_the_site(checked: Look) -> None:
    found = checked(pages.PICTURE)
    share = (pages.PICTURE_PX + pages.ICONS_PX) / pages.VIEWPORT_PX
    assert all_gates(found.check)[0].painted_share == pytest.approx(share)
    assert reason(found.check) == f"{share:.1%} of the viewport was missed or inexact with TCP+, above 10%"


@pytest.mark.parametrize(("url", "kind"), [(pages.TOOLTIP, "style sheet"), (pages.HEAD_SCRIPT, "script")])
def test_what_the_page_needs_excludes_the_site_where_it_is_missing(checked: Look, url: str, kind: str) -> None:
    assert reason(checked(url).check) == f"a {kind} was missed with TCP+ ({url})"


def test_what_the_browser_refuses_has_failed_though_the_server_answered_as_recorded(
    ready: Loader, tmp_path: Path
) -> None:
    site = site_of(pages.write(tmp_path / "refused.warc.gz", pages.REFUSED))
    (load,) = check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None).check.loads
    good = {pages.PAGE, pages.HEAD_SCRIPT}
    assert {request.url for request in load.requests} == pages.REFUSED.keys() - good
    assert {request.match for request in load.requests} == {Match.FAILED}
    assert {request.url for request in load.requests if not request.needed} == {f"{pages.OTHER}page.png"}
    assert gates(load, VIEWPORT).painted_share == pytest.approx(pages.PICTURE_PX / pages.VIEWPORT_PX)


@pytest.mark.parametrize("name", pages.LARGE)
def test_a_large_missing_picture_counts_with_its_area_however_the_page_shows_it(
    name: str, ready: Loader, tmp_path: Path
) -> None:
    site = site_of(pages.write(tmp_path / "large.warc.gz", pages.large(name)))
    (load,) = check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None).check.loads
    assert gates(load, VIEWPORT).painted_share == pytest.approx(pages.LARGE[name][1] / pages.VIEWPORT_PX)


def test_a_page_that_sets_a_cookie_and_reloads_at_once_comes_twice(ready: Loader, tmp_path: Path) -> None:
    site = site_of(record(tmp_path / "cookie.warc.gz", pages.COOKIE))
    (load,) = check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None).check.loads
    assert (load.exact, load.requests) == (2, ())
    assert load.load_ms is not None


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eyelevel.loads.visit.LIMIT_S", 6)


@pytest.mark.usefixtures("_impatient")
def test_a_page_that_reloads_for_ever_is_excluded_as_one_that_cannot_be_asked(ready: Loader, tmp_path: Path) -> None:
    site = site_of(record(tmp_path / "again.warc.gz", pages.RELOADING))
    assert learn_volatile(ready, site, VIEWPORT).parameters == ()
    with pytest.raises(PageFailedError, match=r"^The page of plain could not be inspected over TCP\+ without network"):
        check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None)


@pytest.mark.usefixtures("_impatient")
def test_a_page_whose_load_event_never_fires_is_excluded(ready: Loader, tmp_path: Path) -> None:
    site = site_of(record(tmp_path / "endless.warc.gz", pages.ENDLESS))
    found = check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None)
    assert reason(found.check) == "its load event did not fire with TCP+"


def test_beside_a_recorded_screenshot_a_missing_tooltip_sheet_keeps_the_site_and_the_main_sheet_excludes_it(
    checked: Look,
) -> None:
    first = checked()
    assert first.check.loads[0].similarity is None
    without_tooltip = checked(pages.TOOLTIP, screenshot=first.screenshots[0])
    assert without_tooltip.check.loads[0].similarity == pytest.approx(1.0, abs=1e-9)
    (sheet,) = (request for request in without_tooltip.check.loads[0].requests if request.kind is Kind.STYLE_SHEET)
    assert (sheet.url, sheet.match, sheet.needed, sheet.boxes) == (pages.TOOLTIP, Match.MISSED, False, ())
    assert reason(without_tooltip.check) is None
    without_main = checked(pages.SHEET, screenshot=first.screenshots[0])
    assert all_gates(without_main.check)[0].painted_share > 0.6
    assert "of the viewport was missed or inexact with TCP+, above 10%" in str(reason(without_main.check))


def test_a_blocked_style_sheet_is_not_requested_and_what_that_changes_is_seen(ready: Loader, tmp_path: Path) -> None:
    site, stack = site_of(pages.write(tmp_path / "plain.warc.gz")), ready.stacks["TCP+"]
    shots = []
    for blocked, count in (((), 1), ((place(pages.SHEET),), 0)):
        with visit(ready, site, VIEWPORT, stack, page_seed=5, mask=None, blocked=blocked) as folder:
            assert [request.url for request in served(folder).requests].count(pages.SHEET) == count
            shots.append((folder / "screenshot.png").read_bytes())
    assert union_px(changed(shots[0], shots[1], None) or ()) > 0.6 * pages.VIEWPORT_PX


def test_elements_have_the_boxes_that_a_viewer_sees(ready: Loader, tmp_path: Path) -> None:
    page = f"""<!doctype html><title>boxes</title><body style="margin: 0"><style>* {{ position: absolute }}</style>
    <img src="{pages.PICTURE}" width="100" height="100" style="left: 500px">
    <div style="overflow: hidden; width: 50px; height: 20px"><img src="clipped.png" width="2000" height="20"></div>
    <img src="hidden.png" width="300" height="300" style="visibility: hidden">
    <div style="opacity: 0"><img src="clear.png" width="300" height="300"></div>
    <img src="below.png" width="100" height="100" style="top: 2000px">
    <img src="cut.png" width="100" height="100" style="left: 200px; top: {pages.HEIGHT_PX - 10}px">
    <img src="collapsed.png" style="top: 50px">
    <input type="image" src="button.png" style="top: 60px; width: 30px; height: 20px">
    <span id="host" style="left: 400px; top: 30px"></span>
    <iframe src="inner.html" style="left: 300px; top: 100px; border: 2px solid" width="120" height="60"></iframe>
    <script>document.getElementById("host").attachShadow({{ mode: "open" }}).innerHTML =
      '<img src="/shadow.png" width="30" height="40">';</script>"""
    inner = b'<!doctype html><body style="margin: 0"><img src="inner.png" width="400" height="30">'
    responses = {
        pages.PAGE: (page.encode(), "text/html"),
        f"{pages.PAGE}inner.html": (inner, "text/html"),
        pages.PICTURE: pages.RESPONSES[pages.PICTURE],
    }
    site = site_of(pages.write(tmp_path / "boxes.warc.gz", responses))
    (load,) = check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None).check.loads
    boxes = {
        request.url.removeprefix(pages.PAGE): request.boxes for request in load.requests if request.kind is Kind.IMAGE
    }
    assert boxes == {
        "clipped.png": ((0, 0, 50, 20),),
        "hidden.png": (),
        "clear.png": (),
        "below.png": (),
        "cut.png": ((200, pages.HEIGHT_PX - 10, 100, 10),),
        "collapsed.png": None,
        "button.png": ((0, 60, 30, 20),),
        "shadow.png": ((400, 30, 30, 40),),
        "inner.png": ((302, 102, 120, 30),),
    }
    assert load.median_image_px == 100 * 100


def test_scripts_that_hold_up_the_page_are_needed_and_http_addresses_are_those_of_https(
    ready: Loader, tmp_path: Path
) -> None:
    page = f"""<!doctype html><title>inserted</title>
    <script>document.write('<script src="{pages.PAGE}written.js"><\\/script>');
    document.write('<script src="https://none.example/gone.js"><\\/script>');
    document.head.append(Object.assign(document.createElement("script"), {{ src: "inserted.js", async: false }}));
    </script><script src="http://plain.example/named.js"></script>
    <body style="margin: 0"><img src="http://plain.example/old.png" width="30" height="20">
    <img src="flat.png" width="300" style="height: 0">
    <iframe src="hidden.html" style="display: none"></iframe>
    <iframe src="https://none.example/ad.html" width="120" height="60"
      style="position: absolute; left: 100px; top: 50px; border: 0"></iframe>"""
    hidden = b'<!doctype html><img src="unseen.png"><script>new Image().src = "drawn.png";</script>'
    responses = {pages.PAGE: (page.encode(), "text/html"), f"{pages.PAGE}hidden.html": (hidden, "text/html")}
    site = site_of(pages.write(tmp_path / "inserted.warc.gz", responses))
    (load,) = check(ready, site, VIEWPORT, page_seed=5, volatile=None, mask=None).check.loads
    scripts = {
        request.url.split("/", 3)[-1]: request.needed for request in load.requests if request.kind is Kind.SCRIPT
    }
    assert scripts == {"written.js": True, "inserted.js": False, "named.js": True, "gone.js": True}
    boxes = {
        request.url.removeprefix(pages.PAGE): request.boxes for request in load.requests if request.kind is Kind.IMAGE
    }
    assert boxes == {"old.png": ((0, 0, 30, 20),), "flat.png": (), "unseen.png": (), "drawn.png": ()}
    (ad,) = (request for request in load.requests if request.kind is Kind.FRAME)
    assert (ad.match, ad.needed, ad.boxes) == (Match.FAILED, False, ((100, 50, 120, 60),))


def test_parameters_drawn_by_chance_and_stamps_are_learned_and_then_match_and_those_that_select_content_stay(
    ready: Loader, tmp_path: Path
) -> None:
    page = f"""<!doctype html><title>drawn</title><link rel="stylesheet" href="{pages.TOOLTIP}?t=1519128000">
    <h1>Drawn</h1><script>
    const add = (src) => document.head.append(Object.assign(document.createElement("script"), {{ src }}));
    const name = "f" + Math.floor(Math.random() * 1e9);
    globalThis[name] = () => document.body.append("called");
    add("{pages.PAGE}feed?callback=" + name + "&page=2");
    const item = Math.floor(Math.random() * 40);
    add("{pages.PAGE}item?id=" + item + "&r=" + Math.random());
    </script>"""
    responses = {
        pages.PAGE: (page.encode(), "text/html"),
        f"{pages.TOOLTIP}?t=1519120000": pages.RESPONSES[pages.TOOLTIP],
        f"{pages.PAGE}feed?callback=f1&page=2": (b"f1({});", "text/javascript"),
        **{f"{pages.PAGE}item?id={n}&r=0.5": (b"/* %d */" % n, "text/javascript") for n in range(40)},
    }
    site = site_of(pages.write(tmp_path / "drawn.warc.gz", responses))
    learned = learn_volatile(ready, site, VIEWPORT)
    assert [(parameter.path, parameter.parameter) for parameter in learned.parameters] == [
        ("/feed", "callback"), ("/item", "r"), ("/tip.css", "t"),
    ]  # fmt: skip
    assert learned.callbacks == (Callback("plain.example", "/feed", "callback"),)
    file = tmp_path / "drawn.volatile.json"
    write_volatile(learned, file)
    (load,) = check(ready, site, VIEWPORT, page_seed=5, volatile=file, mask=None).check.loads
    assert (load.exact, load.equivalent, load.inexact) == (1, 3, 0)


def test_capture_prepares_a_site_and_its_takes_name_the_file_that_replay_used(tmp_path: Path) -> None:
    for name in ("garden.warc.gz", "garden.mask-1280x720.json"):
        shutil.copy(FIXTURES / name, tmp_path / name)
    (tmp_path / "campaign.toml").write_text(CAMPAIGN)
    batch = tmp_path / "batch"
    command = [sys.executable, "-m", "eyelevel", "capture", str(tmp_path / "campaign.toml"), "--out", str(batch)]
    done = subprocess.run([*command, "--no-calibrate", "--no-clips"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "garden: 2 volatile parameters, 0 of them callbacks" in done.stderr
    assert "garden passes gates (a) and (b); its picture was not compared with the recorded page" in done.stderr
    learned = (tmp_path / "garden.volatile.json").read_bytes()
    digest = sha256_of_bytes(learned)
    assert (batch / "volatile" / f"{digest}.json").read_bytes() == learned
    found = BatchFolder(batch).replay_checks()["garden"]
    assert (found.volatile_sha256, [load.stack for load in found.loads]) == (digest, ["TCP+"])
    assert found.mask_digest == read_mask(tmp_path / "garden.mask-1280x720.json").digest
    (folder,) = batch.glob("takes/*/*/*/*")
    assert json.loads((folder / "take.json").read_text())["provenance"]["volatile_digest"] == digest
    assert json.loads((folder / "wire.json").read_text())["volatile_sha256"] == digest
    (site,) = json.loads((batch / "report.json").read_text())["sites"]
    assert (site["in_comparison"], [gate["passed"] for gate in site["gates"]]) == (True, [[True, True, True]])
    assert site["missed_beyond_check"] == {}


@pytest.mark.parametrize("command", ["learn", "check"])
def test_a_file_that_is_no_recording_is_named_and_nothing_is_written(command: str, tmp_path: Path) -> None:
    file = tmp_path / "page.warc.gz"
    file.write_bytes(b"no recording\n")
    options = ["-o", str(tmp_path / "out")] if command == "check" else []
    asked = [sys.executable, "-m", "eyelevel", "replay", command, str(file), *options]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr.startswith("eyelevel: page · DSL · TCP+ · run 01: "), done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [file]
