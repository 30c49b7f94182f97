"""What a replay cannot serve is named before anything is recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyelevel.record.addresses import is_served, split, unserved, why_not

# the testbed is held to the same cases
CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[2] / "testbed" / "cases" / "unservable.json").read_text()
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["url"])
def test_hosts_that_a_replay_cannot_serve_are_told_from_others(case: dict[str, Any]) -> None:
    parts = split(case["url"])
    assert parts is not None
    assert is_served(parts.hostname or "") == case["is_served"]
    assert (unserved([case["url"]]) == []) == case["is_served"]
    assert (why_not(case["url"]) is None) == case["is_served"]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/", "http://127.9.9.9/", "https://[::1]/a", "http://localhost/", "http://LocalHost./",
        "http://app.localhost:3000/",
    ],
)  # fmt: skip
def test_a_page_on_loopback_is_refused_with_the_cure(url: str) -> None:
    said = why_not(url)
    assert said is not None
    assert said.startswith(f"{url} is on this machine's loopback")
    assert "ip addr add 192.0.2.1/32 dev lo" in said


def test_a_page_at_an_address_of_no_machine_is_refused_with_the_cure() -> None:
    assert why_not("http://0.0.0.0:8000/") == (
        "http://0.0.0.0:8000/ is not the address of a single machine, so a replay could not serve it; record the page "
        "under its name, or from the server's own address."
    )


@pytest.mark.parametrize("url", ["example.org", "file:///etc/passwd", "https://", "http://a:x/", "ftp://a.example/"])
def test_text_that_is_not_a_web_url_is_refused(url: str) -> None:
    assert (why_not(url) or "").startswith(f"{url} is not an http or https URL")


@pytest.mark.parametrize(
    "url", ["https://example.org/", "http://192.0.2.1/", "http://1270.example/", "http://a.test:8/"]
)
def test_any_other_page_is_recorded(url: str) -> None:
    assert why_not(url) is None


def test_hosts_on_loopback_are_named_once_in_order() -> None:
    urls = [
        "https://a.example/", "http://b.example:9106/x", "http://[fd00::2]/", "http://127.0.0.2:81/y",
        "http://localhost/z", "http://u:p@127.0.0.2:81/x", "http://localhost/a", "data:,x",
    ]  # fmt: skip
    assert unserved(urls) == ["127.0.0.2:81", "localhost"]
