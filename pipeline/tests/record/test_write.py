"""A recording holds what the first visit asked for, and of a later one what is new; it appears whole or not at all."""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.record.page import has, page_date
from eyelevel.record.write import Part, write_recording, writing
from eyelevel.recorded import Response, body_of, records, responses, target_of

HEADERS = [("Content-Type", "text/plain")]


def part(path: Path, *asked: tuple[str, str, bytes]) -> Part:
    """A file as the proxy writes it: (method, path, body of the request); the response's body is the file's name."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"hostname": "machine", "ip": "10.1.2.3"}))
        for method, target, sent in asked:
            url, body = f"https://a.example{target}", path.name.encode()
            response = writer.create_warc_record(
                url, "response", payload=BytesIO(body), length=len(body),
                http_headers=StatusAndHeaders("200 OK", HEADERS, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Warcinfo-ID": "<urn:uuid:1>"},
            )  # fmt: skip
            request = writer.create_warc_record(
                url, "request", payload=BytesIO(sent), length=len(sent),
                http_headers=StatusAndHeaders(f"{method} {target} HTTP/1.1", HEADERS, is_http_request=True),
                warc_headers_dict={"WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")},
            )  # fmt: skip
            writer.write_record(response)
            writer.write_record(request)
    return Part([path])


def test_a_later_visit_adds_only_what_no_earlier_one_asked_for(tmp_path: Path) -> None:
    first = part(tmp_path / "one.gz", ("GET", "/", b""), ("GET", "/a", b""), ("POST", "/q", b"x"))
    second = part(
        tmp_path / "two.gz", ("GET", "/", b""), ("GET", "/b", b""), ("POST", "/a", b""), ("POST", "/q", b"y"),
        ("POST", "/q", b"x"),
    )  # fmt: skip
    out = tmp_path / "x.warc.gz"
    write_recording([first, second], out, page="https://a.example/", fields={"software": "test"})
    found = [
        (target_of(r).removeprefix("https://a.example"), body_of(r).read()) for r in records(out) if r.http_headers
    ]
    answers = [(target, body.decode()) for target, body in found if body.endswith(b".gz")]
    assert answers == [
        ("/", "one.gz"), ("/a", "one.gz"), ("/q", "one.gz"), ("/b", "two.gz"), ("/a", "two.gz"), ("/q", "two.gz"),
    ]  # fmt: skip
    assert [response.visit for response in responses(out)] == [1, 1, 1, 2, 2, 2]
    # each response has its request
    assert len(found) == 2 * len(answers)


@pytest.mark.parametrize("page", ["https://a.example/page", "http://a.example/page#part"])
def test_the_page_comes_first_although_others_ended_before_it(tmp_path: Path, page: str) -> None:
    visit = part(tmp_path / "one.gz", ("GET", "/frame", b""), ("GET", "/page", b""), ("GET", "/late", b""))
    write_recording([visit], tmp_path / "x.warc.gz", page=page, fields={})
    kinds = [(record.rec_type, target_of(record)) for record in records(tmp_path / "x.warc.gz")]
    order = [f"https://a.example{path}" for path in ("/page", "/frame", "/late")]
    assert kinds == [("warcinfo", ""), *((kind, url) for url in order for kind in ("response", "request"))]


def test_nothing_of_the_machine_is_kept_and_the_screenshot_is(tmp_path: Path) -> None:
    out = tmp_path / "x.warc.gz"
    visit = part(tmp_path / "one.gz", ("GET", "/", b""))
    write_recording([visit], out, page="https://a.example/", fields={"a": "b"}, screenshot=b"picture")
    kinds = [(record.rec_type, record.rec_headers.get_header("WARC-Warcinfo-ID")) for record in records(out)]
    assert kinds == [("warcinfo", None), ("response", None), ("request", None), ("resource", None)]
    held = {record.rec_type: record.content_stream().read() for record in records(out)}
    assert held["warcinfo"] == b"a: b\r\n"
    assert held["resource"] == b"picture"


def test_a_file_that_is_not_finished_does_not_appear(tmp_path: Path) -> None:
    out = tmp_path / "x.warc.gz"

    def interrupted() -> None:
        with writing(out, {}):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_page_has_the_full_minute_as_its_date() -> None:
    assert page_date(datetime(2026, 11, 24, 12, 7, 59, 999, tzinfo=UTC)) == datetime(2026, 11, 24, 12, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example", True),
        ("http://a.example/", True),
        ("https://A.example:443/#top", True),
        ("https://user:pw@a.example/", True),
        ("https://m\N{LATIN SMALL LETTER U WITH DIAERESIS}.example/\N{LATIN SMALL LETTER U WITH DIAERESIS} b", True),
        ("https://a.example/?b", False),
        ("https://a.example:444/", False),
        ("https://b.example/", False),
    ],
)
def test_a_page_is_in_a_recording_however_its_url_is_written(url: str, expected: bool) -> None:
    found = [
        Response("https://a.example/", 200, None, 0, None),
        Response("https://xn--m-eha.example/%C3%BC%20b", 200, None, 0, None),
    ]
    assert has(found, url) is expected
