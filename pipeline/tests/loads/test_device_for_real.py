"""What pages, frames of other sites and workers see of a phone, in a real browser over the real testbed."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from eyelevel.built import find_testbed
from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.loads.inside.request import LoadRequest
from eyelevel.loads.site import Site
from eyelevel.loads.unlimited import NETWORK, Loader, loader
from eyelevel.stacks import chosen, stacks
from eyelevel.video import inspect
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.device import DESKTOP, PHONE, Device, Viewport
from eyelevel_core.model.run import Run
from tests.loads.needs import needs_testbed
from tests.loads.recordings import response

pytestmark = [needs_testbed, pytest.mark.root, pytest.mark.browser, pytest.mark.realtime]
PAGE, OTHER = "https://phone.example/", "https://other.test/"
TELL = """
const about = async () => ({
  agent: navigator.userAgent, platform: navigator.platform, mobile: navigator.userAgentData.mobile,
  brands: navigator.userAgentData.brands.map((one) => one.brand),
  high: await navigator.userAgentData.getHighEntropyValues(["platformVersion", "model", "uaFullVersion"]),
});
"""
OF_PAGE = """
const busy = () => {
  const from = performance.now();
  let n = 0;
  for (let i = 0; i < 3e7; i++) n += i % 7;
  return n > 0 ? performance.now() - from : 0;
};
const quickest = () => Math.min(busy(), busy(), busy());
const screenOf = () => ({
  width: innerWidth, height: innerHeight, ratio: devicePixelRatio, touch: "ontouchstart" in window,
  screen: screen.width, coarse: matchMedia("(pointer: coarse)").matches, upright: screen.orientation.type,
  busy_ms: quickest(),
});
"""
SEND = """
const send = (who, what) =>
  fetch(`https://phone.example/told?who=${who}&what=${encodeURIComponent(JSON.stringify(what))}`);
"""
SCREEN = {
    "width": 412, "height": 823, "ratio": 1.75, "touch": True, "screen": 412, "coarse": True,
    "upright": "portrait-primary",
}  # fmt: skip
FILES = {
    PAGE: f"""<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><title>phone</title>
<style>body {{ margin: 0; background: #fff }} div {{ position: fixed; inset: 0; background: #0a0 }}</style>
<div></div><iframe src="{OTHER}"></iframe><script>{TELL}{OF_PAGE}{SEND}
about().then((told) => send("page", {{ ...told, ...screenOf() }}));
new Worker("/worker.js");</script>""",
    f"{PAGE}worker.js": f"{TELL}{SEND}about().then((told) => send('worker', told));",
    OTHER: f"<!doctype html><title>other</title><script>{TELL}{OF_PAGE}{SEND}"
    "about().then((told) => send('frame', { ...told, busy_ms: quickest() }));</script>",
    f"{PAGE}told": "told",
}
TYPES = {f"{PAGE}worker.js": "text/javascript", f"{PAGE}told": "text/plain"}


@dataclass(frozen=True)
class Told:
    """What each of page, frame and worker said, all requests' headers by URL, and the size of the film."""

    by: Mapping[str, Mapping[str, Any]]
    headers: Mapping[str, Mapping[str, str]]
    film: tuple[int, int]


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loader]:
    arms = chosen(stacks(find_testbed()), ["QUIC"], source=Path("the test"))
    with loader(find_testbed(), arms, tmp_path_factory.mktemp("scratch"), waits=lambda _: None) as ready:
        yield ready


def loaded(ready: Loader, folder: Path, device: Device) -> Told:
    recording = folder / "phone.warc.gz"
    allow = "Access-Control-Allow-Origin: *\r\n"
    parts = [
        response(url, body.encode(), TYPES.get(url, "text/html"), "no-store", allow) for url, body in FILES.items()
    ]
    recording.write_bytes(b"".join(map(gzip.compress, parts)))
    site = Site("phone", recording, sha256_of_file(recording), None, device=device)
    page = device.page(Viewport(640, 360))
    request = LoadRequest(
        way=ready.stacks["QUIC"].way, width_px=page.width_px, height_px=page.height_px, limit_s=20, quiet_ms=1000,
        script=page_script(seed=1, start_ms=1_500_000_000_000), network_only=True, device=device,
    )  # fmt: skip
    run = Run("phone", NETWORK, "QUIC", 1, recording=site.digest, seed=1, page_seed=1)
    place = ready.load(folder / device.name, site, run, request, words="the load", cure="")
    entries = json.loads((place / "page.har").read_text())["log"]["entries"]
    asked = {entry["request"]["url"]: entry["request"] for entry in entries}
    queries = [parse_qs(urlsplit(url).query) for url in asked if "told?" in url]
    video = inspect(place / "film.mkv")
    return Told(
        by={query["who"][0]: json.loads(query["what"][0]) for query in queries},
        headers={
            url.partition("?")[0]: {header["name"].lower(): header["value"] for header in request["headers"]}
            for url, request in asked.items()
        },
        film=(video.width_px, video.height_px),
    )


@pytest.fixture(scope="module")
def phone(ready: Loader, tmp_path_factory: pytest.TempPathFactory) -> Told:
    return loaded(ready, tmp_path_factory.mktemp("phone"), PHONE)


@pytest.fixture(scope="module")
def desktop(ready: Loader, tmp_path_factory: pytest.TempPathFactory) -> Told:
    return loaded(ready, tmp_path_factory.mktemp("desktop"), DESKTOP)


def test_a_page_sees_the_screen_of_a_phone_and_its_film_has_the_phones_pixels(phone: Told) -> None:
    seen = {name: value for name, value in phone.by["page"].items() if name in SCREEN}
    assert seen == SCREEN
    assert phone.film == (720, 1440)


@pytest.mark.parametrize("who", ["page", "frame", "worker"])
def test_page_frames_and_workers_see_a_phones_browser_of_the_same_version(phone: Told, desktop: Told, who: str) -> None:
    on_phone, on_desktop = phone.by[who], desktop.by[who]
    assert (on_phone["mobile"], on_desktop["mobile"]) == (True, False)
    assert (on_phone["high"]["platform"], on_phone["high"]["model"]) == ("Android", "moto g power (2022)")
    assert (on_phone["brands"], on_phone["high"]["uaFullVersion"]) == (
        on_desktop["brands"],
        on_desktop["high"]["uaFullVersion"],
    )
    mobile = on_desktop["agent"].replace(" Safari", " Mobile Safari")
    assert on_phone["agent"] == mobile.replace("X11; Linux x86_64", "Linux; Android 10; K")


def test_every_request_says_that_a_phone_asks(phone: Told) -> None:
    assert {url for url in FILES if url in phone.headers} == set(FILES)
    assert {headers["user-agent"] for headers in phone.headers.values()} == {phone.by["page"]["agent"]}
    for url in (PAGE, OTHER):
        hints = phone.headers[url]
        assert (hints["sec-ch-ua-mobile"], hints["sec-ch-ua-platform"]) == ("?1", '"Android"')


@pytest.mark.parametrize("who", ["page", "frame"])
def test_scripts_of_page_and_frames_are_slowed(phone: Told, desktop: Told, who: str) -> None:
    """By four; the bound is half of that, as other programs of the machine slow the desktop's as well."""
    assert phone.by[who]["busy_ms"] > 2 * desktop.by[who]["busy_ms"]
