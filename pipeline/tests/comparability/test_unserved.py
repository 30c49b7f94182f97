"""Requests to hosts and ports that replay does not serve are missed, and no outcome of network or stack."""

from typing import Any

import pytest

from eyelevel_core.comparability.content import arm, counts
from eyelevel_core.comparability.unserved import origin_of, unserved_before_load
from eyelevel_core.model.response import Response
from tests.loads.seen import response

ORIGINS = ("a.example:443", "[fd00::2]:9105")


def failed(url: str, failure: str | None = "net::ERR_CONNECTION_REFUSED", **changes: Any) -> Response:
    return response(url, **{"status": None, "failure": failure, **changes})


def test_a_failed_request_to_a_host_or_port_that_is_not_served_is_missed() -> None:
    asked = [failed("http://127.0.0.2:9104/c.png"), failed("https://a.example:8443/x"), failed("https://b.example/")]
    found = unserved_before_load(asked, ORIGINS)
    assert [answer.url for answer in found] == [answer.url for answer in asked]
    assert counts(found) == {"exact": 0, "equivalent": 0, "inexact": 0, "missed": 3}


@pytest.mark.parametrize(
    "answer",
    [
        failed("http://a.example/x", "net::ERR_TIMED_OUT"),
        failed("https://[fd00::2]:9105/x"),
        failed("https://b.example/", "net::ERR_ABORTED"),
        failed("https://b.example/", "net::ERR_BLOCKED_BY_ORB"),
        failed("https://b.example/", before_load=False),
        failed("https://b.example/", status=200, failure=None),
    ],
)
def test_what_was_served_not_sent_or_asked_after_load_is_not_missed(answer: Response) -> None:
    assert unserved_before_load([answer], ORIGINS) == []


def test_what_no_server_could_answer_is_not_held_to_be_failed_by_the_network() -> None:
    responses = [failed("https://a.example/x", "net::ERR_QUIC_PROTOCOL_ERROR")]
    responses.append(failed("https://a.example:9/x", "net::ERR_QUIC_PROTOCOL_ERROR"))
    assert arm(responses, [], ORIGINS).failed == ("https://a.example/x",)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://A.example/x?y:9", "a.example:443"),
        ("http://a.example:80/", "a.example:443"),
        ("https://a.example:80/", "a.example:80"),
        ("https://u:p@a.example:8443/", "a.example:8443"),
        ("http://[fd00::2]/", "[fd00::2]:443"),
        ("http://[fd00::2]:9105/b.png", "[fd00::2]:9105"),
    ],
)
def test_an_origin_is_named_as_the_wire_report_names_it(url: str, origin: str) -> None:
    assert origin_of(url) == origin
