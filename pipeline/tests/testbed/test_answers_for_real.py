"""Chromium gets what it means to ask for, over every transport."""

import gzip
import hashlib
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyelevel.built import find_testbed
from eyelevel.capture.outcome.tell import tell_unserved
from eyelevel.loads.testbed_run import preflight
from tests.capture.fake import context, runs
from tests.loads.needs import needs_testbed
from tests.testbed.made import Made

STACKS = ["TCP+", "QUIC", "TCP+H1"]
QUIC_FROM_THE_START = {"QUIC": "--origin-to-force-quic-on=*"}
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6364f8cf50"
    "0f00038601805a347d6b0000000049454e44ae426082"
)

ASKING = """
const drawn = 'cb_' + Math.floor(Math.random() * 1e9);
const found = {};
window[drawn] = value => { found.jsonp = value.x };
const script = url => new Promise(done => {
  const one = document.createElement('script');
  one.src = url; one.onload = one.onerror = done;
  document.head.append(one);
});
const text = async (url, options) => (await fetch(url, options)).text();
onload = async () => {
  await script('https://api.example/j?callback=' + drawn + '&_=' + Math.random());
  found.posts = [];
  for (const body of ['a=2', 'a=1', 'a=9']) found.posts.push(await text('/api', {method: 'POST', body}));
  const part = await fetch('/bytes', {headers: {Range: 'bytes=2-4'}});
  found.part = [part.status, part.headers.get('content-range'), await part.text()];
  found.beyond = (await fetch('/bytes', {headers: {Range: 'bytes=99-'}})).status;
  found.polls = [];
  for (let n = 0; n < 3; n++) found.polls.push(await text('/poll', {cache: 'no-store'}));
  found.circle = (await fetch('/circle')).status;
  out.textContent = JSON.stringify(found);
};
"""


def load(recording: Path, stack: str, *options: str) -> tuple[Any, dict[str, Any]]:
    """What the page writes as JSON into its `pre`, and the wire report."""
    report = recording.with_name("wire.json")
    browser = (
        f"chromium --headless --no-sandbox --user-data-dir={recording.parent / 'profile'} "
        f'{QUIC_FROM_THE_START.get(stack, "")} --host-resolver-rules="$EYELEVEL_RESOLVER_RULES" '
        '--ignore-certificate-errors-spki-list="$EYELEVEL_SPKI" --virtual-time-budget=20000 '
        '--dump-dom "$EYELEVEL_START_URL"'
    )
    done = subprocess.run(
        [find_testbed(), "run", "--recording", recording, "--stack", stack, "--network", "DSL", "--seed", "1",
         "--report", report, *options, "--", "sh", "-c", browser],
        env={**os.environ, "HOME": str(recording.parent)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = re.search(r"<pre[^>]*>(.+?)</pre>", done.stdout)
    assert written is not None, done.stdout
    return json.loads(written.group(1)), json.loads(report.read_text())


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.parametrize("stack", STACKS)
def test_callbacks_bodies_ranges_sequences_and_circles_are_answered_as_meant(tmp_path: Path, stack: str) -> None:
    archive = Made()
    # the first answer would reload the page for ever
    archive.add("https://page.example/", b"<!doctype html><script>location.reload()</script>", "text/html")
    page = f"<!doctype html><pre id=out></pre><script>{ASKING}</script>"
    archive.add("https://page.example/", page.encode(), "text/html")
    jsonp = gzip.compress(b"/**/ typeof old_77 === 'function' && old_77({\"x\": 42});", mtime=0)
    archive.add(
        "https://api.example/j?callback=old_77&_=0.5", jsonp, "text/javascript", fields="content-encoding: gzip\r\n"
    )
    archive.add("https://page.example/api", b"one", posted=b"a=1")
    archive.add("https://page.example/api", b"two", posted=b"a=2")
    archive.add("https://page.example/bytes", b"0123456789")
    archive.add("https://page.example/poll", b"first")
    archive.add("https://page.example/poll", b"second")
    archive.add("https://page.example/circle", b"", status="302 Found", fields="location: /back\r\n")
    archive.add("https://page.example/back", b"", status="302 Found", fields="location: /circle\r\n")
    recording, volatile = tmp_path / "site.warc", tmp_path / "site.volatile.json"
    recording.write_bytes(archive.text)
    at = {"host": "api.example", "path": "/j"}
    volatile.write_text(
        json.dumps(
            {
                "contract": "eyelevel/volatile/1",
                "recording": hashlib.sha256(archive.text).hexdigest(),
                "parameters": [{**at, "parameter": "_", "why": "drawn"}],
                "callbacks": [{**at, "parameter": "callback"}],
            }
        )
    )
    found, wire = load(recording, stack, "--volatile", str(volatile))
    assert found == {
        "jsonp": 42,
        "posts": ["two", "one", "one"],
        "part": [206, "bytes 2-4/10", "234"],
        "beyond": 416,
        "polls": ["first", "second", "second"],
        "circle": 404,
    }
    server = wire["server"]
    asked = [request for request in server["requests"] if not request["url"].endswith("/favicon.ico")]
    kinds = [request["kind"] for request in asked]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"exact": 11, "equivalent": 1, "inexact": 1, "miss": 1}
    (renamed,) = [request for request in asked if request["callback_renamed"]]
    assert (renamed["body_bytes"], server["callback_renamed"]) == (len(jsonp), 1)
    assert renamed["matched_url"] == "https://api.example/j?callback=old_77&_=0.5"
    assert wire["contradictions"] == []


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.parametrize("stack", STACKS)
def test_pictures_from_another_port_and_an_ipv6_host_are_shown(tmp_path: Path, stack: str) -> None:
    pictures = ["http://192.0.2.2:9106/a.png", "http://[fd00::2]:9105/b.png", "http://page.example:8080/c.png"]
    unserved = "http://127.0.0.2:9104/d.png"
    images = "".join(f'<img src="{url}">' for url in [*pictures, unserved])
    widths = "out.textContent = JSON.stringify([...document.images].map(one => one.naturalWidth))"
    archive = Made()
    page = f"<!doctype html>{images}<pre id=out></pre><script>onload = () => {{ {widths} }}</script>"
    archive.add("http://page.example/", page.encode(), "text/html")
    for url in [*pictures, unserved]:
        archive.add(url, PIXEL, "image/png")
    recording = tmp_path / "site.warc"
    recording.write_bytes(archive.text)
    found, wire = load(recording, stack)
    assert found == [1, 1, 1, 0]
    assert wire["server"]["counts"]["exact"] == 4
    assert wire["server"]["unserved"] == [{"host": "127.0.0.2", "port": 9104, "reason": "of the browser's own machine"}]
    assert "127.0.0.2:9104" not in wire["server"]["origins"]


RECORDED_LONG_AGO = """
const drawn = 'jsonp2', found = {cookie: document.cookie};
window[drawn] = value => { found.jsonp = value.x };
const text = (url, options) => fetch(url, options).then(one => one.text()).catch(String);
onload = async () => {
  found.data = await text('https://api.example/data', {credentials: 'include'});
  found.own = await text('https://api.example/data', {headers: {'X-Own': '1'}});
  const script = document.createElement('script');
  script.src = 'https://api.example/j?callback=' + drawn;
  await new Promise(done => { script.onload = script.onerror = done; document.head.append(script) });
  found.widths = [...document.images].map(one => one.naturalWidth);
  out.textContent = JSON.stringify(found);
};
"""


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.parametrize("stack", STACKS)
def test_a_recording_of_another_browser_and_year_is_shown_by_todays(tmp_path: Path, stack: str) -> None:
    archive = Made()
    images = "".join(f'<img src="https://img.example/{name}">' for name in ("a.png.webp", "a.png!q70.webp", "a?f=webp"))
    page = f"<!doctype html>{images}<pre id=out></pre><script>{RECORDED_LONG_AGO}</script>"
    long_ago = "date: Tue, 20 Feb 2018 12:00:00 GMT\r\n"
    kept = "set-cookie: kept=1; expires=Wed, 20-Feb-2019 12:00:00 GMT\r\n"
    deleted = "set-cookie: deleted=1; expires=Thu, 01-Jan-1970 00:00:00 GMT\r\n"
    archive.add("https://page.example/", page.encode(), "text/html", fields=long_ago + kept + deleted)
    archive.add("https://api.example/data", b"data", fields="access-control-allow-origin: https://other.example\r\n")
    jsonp = b';window.jsonp1 && window.jsonp1({"x": 42})'
    archive.add("https://api.example/j?callback=jsonp1", jsonp, "text/javascript")
    for name in ("a.png", "a?f=png"):
        archive.add(f"https://img.example/{name}", PIXEL, "image/png")
    recording = tmp_path / "site.warc"
    recording.write_bytes(archive.text)
    found, wire = load(recording, stack)
    assert found == {"cookie": "kept=1", "data": "data", "own": "data", "jsonp": 42, "widths": [1, 1, 1]}
    asked = [request for request in wire["server"]["requests"] if not request["url"].endswith("/favicon.ico")]
    kinds = [request["kind"] for request in asked]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "exact": 3, "equivalent": 3, "inexact": 1, "preflight": 1,
    }  # fmt: skip


@needs_testbed
@pytest.mark.root
def test_a_campaign_is_warned_of_what_cannot_be_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = Made()
    archive.add("http://page.example/", b"<p>A page.", "text/html")
    archive.add("http://127.0.0.2:9104/d.png", PIXEL, "image/png")
    archive.add_block("https://page.example/odd", b"no message")
    (tmp_path / "site.warc").write_bytes(archive.text)
    run, site = runs()[0], replace(context(tmp_path).sites[0], recording=tmp_path / "site.warc", start_url=None)
    said = preflight(find_testbed(), run, site, ["--network", run.network])
    tell_unserved({"shop": said})
    reason = "of the browser's own machine"
    sentence = f"replay cannot serve 127.0.0.2:9104 ({reason}); what the page asks of it is missed"
    served, broken = capsys.readouterr().err.splitlines()
    assert served == f"warning: shop: {sentence}."
    assert broken.startswith("warning: shop: replay cannot serve 1 broken record, first record 3 (the response of")
