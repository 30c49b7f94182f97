"""When requests were sent, from a real Chromium and a real server: in the HAR, and within what the driver reports."""

import asyncio
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.async_api import async_playwright

from eyelevel.loads.inside.browsing.exchange import Exchange
from eyelevel.loads.inside.browsing.har import har
from eyelevel.loads.inside.browsing.send_times import SendTimes
from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.loads.inside.browsing.traffic import Traffic

PAGE = b"<!doctype html><title>t</title><img src=/one.png><img src=/two.png><script src=/moved.js></script>"


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        moved = self.path == "/moved.js"
        self.send_response(302 if moved else 200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "text/javascript")
        if moved:
            self.send_header("Location", "/here.js")
        body = PAGE if self.path == "/" else b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


async def loaded(url: str) -> list[Exchange]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = await browser.new_context()
        page = await context.new_page()
        sends = SendTimes()
        await sends.watch(context, page)
        traffic = Traffic(context, Settling(3000), (), lambda: 0.0)
        await page.goto(url + "#part", wait_until="networkidle")
        found = [sends.added_to(exchange) for exchange in await traffic.exchanges(0)]
        await browser.close()
        return found


@pytest.mark.browser
def test_each_request_on_the_wire_has_the_time_that_it_took_to_send(url: str) -> None:
    found = [exchange for exchange in asyncio.run(loaded(url)) if not exchange.url.endswith("favicon.ico")]
    assert {exchange.url.removeprefix(url).removesuffix("#part") for exchange in found} == {
        "", "one.png", "two.png", "moved.js", "here.js",
    }  # fmt: skip
    for exchange in found:
        assert exchange.timing["requestStart"] <= exchange.timing["requestEnd"] <= exchange.timing["responseStart"], (
            exchange.url
        )
    log: Any = har(
        found, zero_ms=0, title="", load_ms=None, content_loaded_ms=None, browser_version="", creator_version=""
    )  # fmt: skip
    sent = [entry["timings"]["send"] for entry in log["log"]["entries"]]
    assert all(0 <= ms < 100 for ms in sent)
    assert any(ms > 0 for ms in sent)


def test_what_was_not_seen_on_the_wire_stays_unknown() -> None:
    sends = SendTimes()
    sends.keep({"url": "http://a.example/", "timing": {"sendStart": 4.0, "sendEnd": 4.5}})
    sends.keep({"url": "http://a.example/cached"})
    sends.keep(None)
    exchange = Exchange("http://a.example/#part", "GET", "document", 0, 0, (), {"requestStart": 4.0})
    assert sends.added_to(exchange).timing == {"requestStart": 4.0, "requestEnd": 4.5}
    other = Exchange("http://a.example/", "GET", "document", 0, 0, (), {"requestStart": 9.0})
    assert sends.added_to(other) == other
