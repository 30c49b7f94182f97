"""HAR files with bodies become exchanges, in the forms that Chrome, Firefox and Playwright write."""

import base64
import json
from typing import Any

import pytest

from eyelevel.errors import BadInputError
from eyelevel.importing.har import read_har

PAGE = "<!doctype html><title>Möwe</title>"


def entry(url: str = "https://garden.example/", **changes: Any) -> dict[str, Any]:
    response = {
        "status": 200,
        "statusText": "OK",
        "headers": [
            {"name": "content-type", "value": "text/html"}, {"name": "content-encoding", "value": "br"},
            {"name": "Content-Length", "value": "17"}, {"name": "set-cookie", "value": "a=1\nb=2"},
        ],
        "content": {"size": 35, "mimeType": "text/html", "text": PAGE},
    }  # fmt: skip
    request = {"method": "GET", "url": url, "headers": [{"name": ":path", "value": "/"}, {"name": "A", "value": "b"}]}
    made: dict[str, Any] = {
        "startedDateTime": "2026-11-20T11:00:00.512+01:00",
        "request": request,
        "response": response,
        "serverIPAddress": "[2001:db8::1]",
    }
    for key, value in changes.items():
        part, _, name = key.partition("__")
        made = {**made, part: {**made[part], name: value} if name else value}
    return made


def har(*entries: dict[str, Any], **log: Any) -> bytes:
    creator = {"name": "WebInspector", "version": "537.36"}
    return json.dumps({"log": {"version": "1.2", "creator": creator, "entries": entries, **log}}).encode()


def test_text_is_written_in_utf8_without_what_was_undone() -> None:
    found = read_har(b"\xef\xbb\xbf" + har(entry("https://garden.example/#top")), source="a.har")
    assert (found.kind, found.tool, found.start_url) == ("HAR", "WebInspector 537.36", "https://garden.example/")
    (page,) = found.exchanges
    body = PAGE.encode()
    assert (page.status, page.reason, page.body) == (200, "OK", body)
    assert page.headers == (
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(body))),
    )
    assert page.request_headers == (("A", "b"),)
    assert (page.address, page.date) == ("2001:db8::1", "2026-11-20T10:00:00Z")


def test_base64_is_decoded_and_keeps_its_type() -> None:
    content = {"size": 3, "mimeType": "image/png", "text": base64.b64encode(b"\x89PN").decode(), "encoding": "base64"}
    picture = entry(response__content=content, response__headers=[{"name": "Content-Type", "value": "image/png"}])
    (found,) = read_har(har(picture), source="a.har").exchanges
    assert (found.body, found.headers) == (b"\x89PN", (("Content-Type", "image/png"), ("Content-Length", "3")))


def test_a_type_that_only_the_content_names_is_used() -> None:
    (found,) = read_har(har(entry(response__headers=[])), source="a.har").exchanges
    assert ("Content-Type", "text/html; charset=utf-8") in found.headers


def test_the_body_of_a_post_is_kept() -> None:
    sent = entry(request__method="post", request__postData={"mimeType": "text/plain", "text": "q=ü"})
    (found,) = read_har(har(sent), source="a.har").exchanges
    assert (found.method, found.request_body) == ("POST", "q=ü".encode())


def test_what_the_file_lacks_is_left_out_with_its_reason_and_what_is_empty_is_kept() -> None:
    found = read_har(
        har(
            entry(),
            entry("https://a.example/lost", response__content={"size": 9, "mimeType": "image/png"}),
            entry("https://a.example/unknown", response__content={"size": -1, "mimeType": "image/png"}),
            entry("https://a.example/blocked", response__status=0),
            entry("https://a.example/empty", response__status=204, response__content={"size": -1}),
            entry("https://a.example/none", response__content={"size": 0, "mimeType": "image/gif"}),
            entry("https://a.example/moved", response__status=302, response__content={"size": -1}),
            entry("https://a.example/same", response__status=304, response__content={"size": 0}),
            entry("data:text/plain,x"),
            entry("wss://a.example/"),
        ),
        source="a.har",
    )
    assert [each.url.rpartition("/")[2] for each in found.exchanges] == ["", "empty", "none", "moved"]
    assert found.left_out == (
        "https://a.example/lost: its body is not in the file",
        "https://a.example/unknown: its body is not in the file",
        "https://a.example/blocked: it got no answer",
        "https://a.example/same: its body is not in the file",
    )


def test_an_answer_from_the_cache_is_one_of_success() -> None:
    (found,) = read_har(har(entry(response__status=304)), source="a.har").exchanges
    assert (found.status, found.body) == (200, PAGE.encode())


def test_an_unknown_address_is_none() -> None:
    for address in ("", None):
        (found,) = read_har(har(entry(serverIPAddress=address)), source="a.har").exchanges
        assert found.address is None


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK", "a.har is neither a HAR .JSON., a WACZ .zip., a WARC nor a Mahimahi folder"),
        (b"[]", "a.har must hold a JSON object"),
        (b"{}", "a.har: log is missing, and must be an object"),
        (har(entries="x"), "a.har: log.entries is 'x', and must be a list"),
        (har(entry(), 7), r"a.har: log.entries\[1\] is missing, and must be an object"),  # type: ignore[arg-type]
        (har(entry(response__status="abc")), r"log.entries\[0\].response.status is 'abc', and must be a whole number"),
        (
            har(entry(response__content={"text": "x", "encoding": "gzip"})),
            "content.encoding is 'gzip', and must be base64",
        ),
        (har(entry(response__content={"text": "*", "encoding": "base64"})), "content.text is '.', and must be base64"),
        (har(entry(request__url=5)), r"log.entries\[0\].request.url is 5, and must be text"),
        (har(entry(response__content={"size": 35, "mimeType": "text/html"})), "a.har holds no bodies; export it with"),
        (har(), "a.har holds no bodies"),
        (
            har(entry(url="https://a.example/\r\nWARC-Type: x")),
            r"a.har: log.entries\[0\].request.url is 'https://a.example/.r.nWARC-Type: x', and must be text without",
        ),
        (har(entry(request__method="GET\n")), r"request.method is 'GET.n', and must be text without line breaks"),
        (har(entry(response__statusText="OK\r")), r"response.statusText is 'OK.r', and must be text without line"),
        (har(entry(response__headers=[{"name": "a\n", "value": ""}])), r"headers\[0\].name is 'a.n', and must be text"),
        (har(entry(serverIPAddress="a.example")), "serverIPAddress is 'a.example', and must be an IP address"),
    ],
)
def test_bad_input_is_named_with_file_field_value_and_cure(data: bytes, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        read_har(data, source="a.har")
