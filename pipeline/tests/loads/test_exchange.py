"""What came of requests, as lists: which protocol, before or after load, and a HAR that readers of HARs understand."""

from typing import Any

from eyelevel.loads.inside.browsing.exchange import (
    Exchange,
    finished_gets,
    network_changed,
    protocol_name,
    responses,
    wrong_protocols,
)
from eyelevel.loads.inside.browsing.har import har

SENT = {"requestStart": 5.0, "responseStart": 30.0, "responseEnd": 42.5, "connectStart": 1.0, "connectEnd": 4.0}


def exchange(url: str = "https://garden.example/", **changes: Any) -> Exchange:
    values: dict[str, Any] = {
        "method": "GET", "resource_type": "document", "begun_ms": 3.0, "request_headers": (), "timing": SENT,
        "status": 200, "protocol": "h3", "response_headers": (("Content-Type", "text/html"),),
        "encoded_body_bytes": 1234, "server_address": "192.0.2.10",
    }  # fmt: skip
    values |= changes
    values.setdefault("asked_ms", values["begun_ms"])
    return Exchange(url=url, **values)


def test_the_drivers_names_of_protocols_become_ours() -> None:
    assert [protocol_name(name) for name in ("HTTP/2.0", "h3", "HTTP/1.1")] == ["h2", "h3", "http/1.1"]


def test_a_response_over_another_protocol_is_found() -> None:
    wrong = exchange(protocol="h2")
    assert wrong_protocols([exchange(), wrong], ["h3"]) == [wrong]
    assert wrong_protocols([exchange(), wrong], ["h2", "h3"]) == []


def test_what_the_cache_or_nobody_answered_has_no_protocol_to_be_wrong() -> None:
    cached = exchange(protocol="h2", timing={"requestStart": -1})
    failed = exchange(protocol=None, status=None, failure="net::ERR_NAME_NOT_RESOLVED")
    assert cached.from_cache
    assert wrong_protocols([cached, failed], ["h3"]) == []


def test_a_changed_network_is_seen_in_any_request() -> None:
    assert network_changed([exchange(), exchange(status=None, failure="net::ERR_NETWORK_CHANGED")])
    assert not network_changed([exchange(status=None, failure="net::ERR_ABORTED")])


def test_of_requests_in_flight_those_count_that_lighthouse_counts() -> None:
    others = [
        exchange(method="POST"), exchange(status=404), exchange(failure="net::ERR_ABORTED"),
        exchange(status=None), exchange(timing={"requestStart": 5.0, "responseEnd": -1}),
    ]  # fmt: skip
    assert finished_gets([exchange(begun_ms=100.0), *others]) == [(100.0, 142.5)]


def test_responses_are_listed_in_the_order_in_which_they_began() -> None:
    late, early = exchange("https://garden.example/late", begun_ms=800.0), exchange()
    listed = responses([late, early], load_ms=500.0)
    assert [(entry.url, entry.before_load) for entry in listed] == [(early.url, True), (late.url, False)]


def test_what_a_redirect_leads_to_was_asked_for_when_the_chain_began() -> None:
    hop = exchange(begun_ms=520.0, asked_ms=480.0)
    assert responses([hop], load_ms=500.0)[0].before_load is True


def test_without_a_load_event_nobody_knows_what_came_before_it() -> None:
    assert responses([exchange()], load_ms=None)[0].before_load is None


def log(*exchanges: Exchange) -> dict[str, Any]:
    value: Any = har(
        exchanges, zero_ms=1_700_000_000_000.0, title="Garden", load_ms=500.0, content_loaded_ms=None,
        browser_version="1", creator_version="2",
    )  # fmt: skip
    inner: dict[str, Any] = value["log"]
    return inner


def test_a_har_has_dates_and_phases() -> None:
    entry = log(exchange(timing={**SENT, "requestEnd": 5.25}))["entries"][0]
    assert entry["startedDateTime"] == "2023-11-14T22:13:20.003+00:00"
    assert entry["timings"] == {
        "blocked": 1.0, "dns": -1, "connect": 3.0, "ssl": -1, "send": 0.25, "wait": 24.75, "receive": 12.5,
    }  # fmt: skip
    assert entry["time"] == 41.5
    assert entry["response"]["bodySize"] == 1234
    assert entry["response"]["content"]["mimeType"] == "text/html"
    assert entry["serverIPAddress"] == "192.0.2.10"


def test_where_the_end_of_sending_is_unknown_waiting_has_it() -> None:
    timings = log(exchange())["entries"][0]["timings"]
    assert (timings["send"], timings["wait"]) == (-1, 25.0)


def test_what_is_unknown_in_a_har_is_minus_one_and_a_failure_is_reported() -> None:
    failed = exchange(status=None, protocol=None, encoded_body_bytes=None, failure="net::ERR_FAILED", timing={})
    value = log(failed)
    assert value["pages"][0]["pageTimings"] == {"onContentLoad": -1, "onLoad": 500.0}
    assert value["entries"][0]["response"]["bodySize"] == -1
    assert set(value["entries"][0]["timings"].values()) == {-1}
    assert value["entries"][0]["response"]["_error"] == "net::ERR_FAILED"
