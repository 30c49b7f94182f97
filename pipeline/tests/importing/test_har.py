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
    assert (found.kind, found.tool) == ("HAR", "WebInspector 537.36")
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
    assert [str(each) for each in found.left_out] == [
        "https://a.example/lost: its body is not in the file",
        "https://a.example/unknown: its body is not in the file",
        "https://a.example/blocked: it got no answer",
        "https://a.example/same: it says only that nothing changed (304), and the file has no body for its URL",
    ]


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
        (b"", "a.har is empty; export it again."),
        (b"\xef\xbb\xbf \n", "a.har is empty; export it again."),
        (
            har(entry())[:-30],
            r"a.har ends early in line 1, column \d+, so the HAR .JSON. is incomplete; export it again.",
        ),
        (har(entry())[:-1], "a.har ends early in line 1, column"),
        (b'{"log": {"entries": [{"time": 1', "a.har ends early in line 1, column"),
        (b'{"log": {"entries": [{"time": tr', "a.har ends early in line 1, column"),
        (b'{"log": {"entries": [{"time": "', "a.har ends early in line 1, column"),
        (har(entry()) + b"\n{}", "a.har has data after its JSON, from line 2, column 1 on; remove it."),
        (b'{"log": x}\n', "a.har is not a HAR: its JSON is wrong in line 1, column 9; export it again."),
        (b"<!doctype html>", "a.har is neither a HAR .JSON., .*: it is HTML or XML; give such a file."),
        (b"// hi", "a.har is neither a HAR .JSON., .*: its beginning matches none of them; give such a file."),
        (b"[" * 200_000, "its JSON is nested too deeply"),
        (b'{"log": ' + b"9" * 5000 + b"}", "a number that is too long"),
        (b"PK", "a.har is neither a HAR .JSON., a WACZ .zip., a WARC nor a Mahimahi folder"),
        (b"[]", "a.har must be a JSON object"),
        (b"{}", "a.har: log is missing, and must be an object"),
        (har(entries="x"), "a.har: log.entries is 'x', and must be a list"),
        (har(entry(response__content={"size": 35, "mimeType": "text/html"})), "a.har has no bodies; export it with"),
        (har(), "a.har has no bodies"),
        (
            har(entry(response__status="abc")),
            "a.har has no answer that can be imported: https://garden.example/: log",
        ),
    ],
)
def test_a_file_without_a_usable_answer_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        read_har(data, source="a.har")


LEFT_OUT: dict[str, tuple[dict[str, Any], str]] = {
    "status": (entry(response__status="abc"), "log.entries[0].response.status is 'abc', and must be a whole number"),
    "encoding": (
        entry(response__content={"text": "x", "encoding": "gzip"}),
        "log.entries[0].response.content.encoding is 'gzip', and must be base64, or left out for text",
    ),
    "text": (
        entry(response__content={"text": 7}),
        "log.entries[0].response.content.text is 7, and must be text",
    ),
    "base64": (
        entry(
            response__content={"text": "*", "encoding": "base64"},
            response__headers=[{"name": "content-type", "value": "image/png"}],
        ),
        "log.entries[0].response.content.text is '*', and must be base64, as encoding says",
    ),
    "response": (entry(response=None), "log.entries[0].response is missing, and must be an object"),
    "method": (entry(request__method="GET\n/x"), "its method is 'GET\\n/X', which HTTP does not allow"),
    "tunnel": (entry(request__method="CONNECT"), "it only opens a tunnel (CONNECT)"),
    "interim": (entry(response__status=103), "it has only an interim answer (status 103), and not the final one"),
    "protocol": (entry(response__status=101), "its connection left HTTP (status 101)"),
    "unknown status": (entry(response__status=1200), "its status is 1200, which is not an HTTP status"),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_an_entry_that_cannot_be_used_is_left_out_with_its_reason_and_stops_no_other(name: str) -> None:
    odd, reason = LEFT_OUT[name]
    found = read_har(har(odd, entry("https://a.example/")), source="a.har")
    assert [str(each) for each in found.left_out] == [f"https://garden.example/: {reason}"]
    assert [each.url for each in found.exchanges] == ["https://a.example/"]


def test_an_entry_without_a_usable_url_is_named_by_its_place() -> None:
    odd = [
        7,
        entry(request__url=5),
        entry(request=None),
        entry(""),
        entry("shop.example/a"),
        entry("https://a.example/\r\nA: b"),
    ]
    found = read_har(har(*odd, entry("https://a.example/")), source="a.har")  # type: ignore[arg-type]
    assert [str(each) for each in found.left_out] == [
        "log.entries[0]: it is 7, and must be an object",
        "log.entries[1]: log.entries[1].request.url is 5, and must be text",
        "log.entries[2]: log.entries[2].request is missing, and must be an object",
        "log.entries[3]: log.entries[3].request.url is '', and must be a complete http or https URL",
        "shop.example/a: its URL is not a complete http or https URL",
        "https://a.example/\\r\\nA: b: its URL is not a complete http or https URL",
    ]


def test_a_user_and_a_password_are_left_out_by_name() -> None:
    odd = entry("https://me:secret@garden.example/")
    lost = entry("https://me:secret@a.example/", response__content={"size": 9})
    wrong = entry("https://me:secret@a.example/b", response=None)
    found = read_har(har(odd, lost, wrong), source="a.har")
    assert [each.url for each in found.exchanges] == ["https://garden.example/"]
    assert found.remarks == ("https://garden.example/: its URL has a user name or password; they are left out",)
    assert "secret" not in f"{[*map(str, found.left_out)]} {found.exchanges}"


def test_an_interim_answer_with_an_entry_of_its_own_is_no_loss() -> None:
    for status in (100, 102, 103):
        early = entry("https://garden.example:443/", response__status=status, response__content={"size": 0})
        found = read_har(har(early, entry()), source="a.har")
        assert ([each.status for each in found.exchanges], found.left_out, found.remarks) == ([200], (), ())


def test_the_first_page_is_that_of_the_list_of_pages() -> None:
    other, style = entry("https://b.example/", pageref="p2"), entry("https://a.example/s.css", pageref="p1")
    style["response"]["headers"] = [{"name": "content-type", "value": "text/css"}]
    pages = [{"id": "p0"}, {"id": "p1", "title": "one"}, {"id": "p2", "title": "two"}]
    found = read_har(har(other, style, entry("https://a.example/", pageref="p1"), pages=pages), source="a.har")
    assert found.start_url == "https://a.example/"
    assert read_har(har(other, pages=[{"id": "p1"}, 7]), source="a.har").start_url is None


def test_values_of_a_header_in_a_list_are_fields_and_several_types_are_named() -> None:
    headers = [
        {"name": "a", "value": ["b", "c"]},
        *({"name": "Content-Type", "value": f"text/{subtype}"} for subtype in ("html", "css")),
    ]
    found = read_har(har(entry(response__headers=headers)), source="a.har")
    assert [value for name, value in found.exchanges[0].headers if name == "a"] == ["b", "c"]
    assert remarks(entry(response__headers=headers)) == [
        "it has several types (text/css, text/html); the first one is kept"
    ]


def test_values_are_shown_as_the_file_has_them() -> None:
    for value, words in ((True, "true"), (None, "missing"), ({"a": 1}, '{"a": 1}'), ("OK", "'OK'")):
        found = read_har(har(entry(), entry("https://a.example/b", response__status=value)), source="a.har")
        assert f"response.status is {words}, and must be a whole number" in str(found.left_out[0])


def test_text_that_is_not_utf_8_is_not_said_to_be() -> None:
    raw = json.dumps({"log": {"entries": [entry()]}}, ensure_ascii=False).encode().replace("ö".encode(), b"\xf6")
    (found,) = read_har(raw, source="a.har").exchanges
    assert dict(found.headers)["Content-Type"] == "text/html"


def test_line_ends_that_the_exporter_made_shorter_are_no_loss() -> None:
    text = "<!doctype html>\n<p>\n"
    odd = {"size": len(text) + 2, "mimeType": "text/html", "text": text}
    assert remarks(entry(response__content=odd)) == []


TOLERATED: dict[str, dict[str, Any]] = {
    "status as text": entry(response__status="200"),
    "status with a fraction": entry(response__status=200.0),
    "no headers": entry(request__headers=None),
    "no statusText": entry(response__statusText=None),
    "headers as an object": entry(response__headers={"content-type": "text/html"}),
    "a header without a value": entry(
        response__headers=[{"name": "content-type", "value": "text/html"}, {"name": "a"}]
    ),
    "status with its reason": entry(response__status="200 OK"),
    "no date": entry(startedDateTime=None),
    "address with port": entry(serverIPAddress="[2001:db8::1]:443"),
    "address with name": entry(serverIPAddress="garden.example/2001:db8::1"),
    "address with zone": entry(serverIPAddress="2001:db8::1%eth0"),
    "usual port": entry("https://garden.example:443/"),
    "no path": entry("https://Garden.example"),
    "size as text": entry(response__content={"size": "35", "mimeType": "text/html", "text": PAGE}),
    "encoding utf-8": entry(response__content={"mimeType": "text/html", "text": PAGE, "encoding": "utf-8"}),
}


@pytest.mark.parametrize("name", TOLERATED)
def test_what_is_not_needed_is_not_required(name: str) -> None:
    found = read_har(har(TOLERATED[name], creator={}), source="a.har")
    (page,) = found.exchanges
    assert (page.url, page.status, page.body) == ("https://garden.example/", 200, PAGE.encode())
    assert page.address == "2001:db8::1"
    assert (found.left_out, found.remarks, found.tool) == ((), (), None)


@pytest.mark.parametrize("odd", [[7], [{"value": "b"}], "a: b"])
def test_headers_that_cannot_be_read_are_named(odd: Any) -> None:
    assert remarks(entry(response__headers=odd)) == ["a response header without a name is left out"]
    assert remarks(entry(request__headers=odd)) == ["a request header without a name is left out"]


PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
LINES = base64.encodebytes(PICTURE).decode()


def picture(text: str, *, kind: str = "image/png", **content: Any) -> dict[str, Any]:
    full_content = {"size": len(PICTURE), "mimeType": kind, "text": text, **content}
    return entry(response__content=full_content, response__headers=[{"name": "content-type", "value": kind}])


@pytest.mark.parametrize(
    "text",
    [LINES, LINES.replace("\n", "\r\n "), LINES.strip().rstrip("="), LINES.replace("+", "-").replace("/", "_"),
     f"data:image/png;base64,{LINES}"],
)  # fmt: skip
def test_base64_is_read_in_the_forms_that_exporters_write(text: str) -> None:
    found = read_har(har(picture(text, encoding="base64")), source="a.har")
    assert ([each.body for each in found.exchanges], found.remarks) == ([PICTURE], ())


def remarks(*entries: dict[str, Any]) -> list[str]:
    found = read_har(har(*entries), source="a.har")
    assert not found.left_out
    return [remark.removeprefix("https://garden.example/: ") for remark in found.remarks]


def test_base64_that_the_file_does_not_declare_is_decoded_where_type_and_bytes_agree() -> None:
    for body in (picture(LINES), picture(LINES, kind="application/octet-stream"), picture(LINES, kind="image/jpeg")):
        (found,) = read_har(har(body), source="a.har").exchanges
        assert found.body == PICTURE
        assert remarks(body) == ["its body is base64, though the file does not say so; it is decoded"]
    page = base64.b64encode(b"<!doctype html><title>a</title>").decode()
    (found,) = read_har(har(picture(page, kind="text/html", size=-1)), source="a.har").exchanges
    assert found.body == b"<!doctype html><title>a</title>"
    # neither signature nor size speak for it
    (found,) = read_har(har(picture("aGVsbG8=", size=-1)), source="a.har").exchanges
    assert found.body == b"aGVsbG8="
    assert remarks(picture("aGVsbG8=", size=-1)) == [
        "its body is text, though its type is image/png; it may be damaged"
    ]
    assert remarks(picture("aGVsbG8=", kind="text/css", size=8)) == []


def test_text_that_is_said_to_be_base64_is_text() -> None:
    for text in ("console.log(1)", "abcd"):
        content = {"size": len(text), "mimeType": "text/javascript", "text": text, "encoding": "base64"}
        odd = entry(response__content=content, response__headers=[])
        (found,) = read_har(har(odd), source="a.har").exchanges
        assert found.body == text.encode()
        assert remarks(odd) == ["its body is text, though the file says base64; it is kept unchanged"]


def test_a_date_without_a_time_zone_is_ignored_by_name() -> None:
    for date in ("2026-11-20T11:00:00", "yesterday", 7):
        odd = entry(startedDateTime=date)
        assert remarks(odd) == ["its date is not a date with a time zone; it is ignored"]


def test_a_body_that_is_shorter_than_its_size_is_named() -> None:
    assert remarks(picture(LINES, encoding="base64", size=3600)) == ["its body is cut short: 72 of 3,600 bytes"]
    text = {"size": 99, "mimeType": "text/html", "text": PAGE}
    assert remarks(entry(response__content=text)) == ["its body is cut short: 35 of 99 bytes"]
    # without a size, the header says how long it is
    headers = [{"name": "content-type", "value": "image/png"}, {"name": "content-length", "value": "80"}]
    odd = picture(LINES, encoding="base64", size=-1)
    odd["response"]["headers"] = headers
    assert remarks(odd) == ["its body is cut short: 72 of 80 bytes"]
    # a byte order mark, and UTF-16
    for size in (len(PAGE.encode()) + 3, 2 * len(PAGE), 2 * len(PAGE) + 2):
        assert remarks(entry(response__content={**text, "size": size})) == []


def test_an_empty_entry_beside_a_whole_one_of_the_same_request_is_left_out() -> None:
    for content in ({"size": 0}, {"size": -1}, {"size": 0, "text": ""}, {}):
        odd = entry(response__content={"mimeType": "text/html", **content}, _failureText="net::ERR_FAILED")
        found = read_har(har(odd, entry()), source="a.har")
        assert [str(each) for each in found.left_out] == [
            "https://garden.example/: it has no body, and another answer to the same request has one"
        ]
        assert [each.body for each in found.exchanges] == [PAGE.encode()]
    # a failed one that has a part
    part = entry(_failureText="net::ERR_FAILED")
    assert [str(each) for each in read_har(har(part, entry()), source="a.har").left_out] == [
        "https://garden.example/: its body is cut short, and another answer to the same request has it whole"
    ]
    assert remarks(part) == ["the recorder says that it failed (net::ERR_FAILED)"]
    # an answer that says that it is empty, and one of another request
    length = [{"name": "Content-Length", "value": "0"}]
    empty = entry(response__content={"size": 0}, response__headers=length)
    other = entry(request__method="POST", response__content={"size": 0})
    assert not read_har(har(empty, entry(), other), source="a.har").left_out


def test_text_outside_latin_1_becomes_utf_8_and_bytes_that_are_not_utf_8_stay() -> None:
    headers = [{"name": "content-type", "value": "text/html"}, {"name": "x", "value": "é"}, {"name": "y", "value": "–"}]
    data = har(entry("https://möwe.example/ä?ö=ü", response__headers=headers, response__statusText="Não"))
    (found,) = read_har(data, source="a.har").exchanges
    assert found.url == "https://xn--mwe-sna.example/%C3%A4?%C3%B6=%C3%BC"
    assert (found.reason, dict(found.headers)["x"], dict(found.headers)["y"]) == (
        "Não",
        "é",
        "–".encode().decode("latin-1"),
    )
    raw = json.dumps({"log": json.loads(data)["log"]}, ensure_ascii=False).encode().replace("Möwe".encode(), b"M\xf6we")
    (found,) = read_har(raw, source="a.har").exchanges
    assert found.body == PAGE.encode().replace("ö".encode(), b"\xf6")
    assert found.remarks == ("its text has bytes that are not UTF-8; they are kept",)
    lone = entry(response__content={"mimeType": "text/html", "text": "a\ud83d"})
    assert remarks(lone) == ["its text has invalid Unicode characters; they are replaced"]
    (found,) = read_har(data.decode().encode("utf-16"), source="a.har").exchanges
    assert found.body == PAGE.encode()


def test_a_request_whose_body_the_file_lacks_matches_any_body() -> None:
    form = {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "q", "value": "a b"}]}
    (found,) = read_har(har(entry(request__method="POST", request__postData=form)), source="a.har").exchanges
    assert found.request_body == b"q=a+b"
    lost = entry(request__method="POST", request__bodySize=9)
    (found,) = read_har(har(lost), source="a.har").exchanges
    assert ("Transfer-Encoding", "chunked") in found.request_headers
    assert remarks(lost) == ["the body of its request is not in the file"]
