"""A header is true of its body: coding, type and length; what of a body is missing is named."""

import base64
import gzip
import json
import zlib
from typing import Any

import pytest

from eyelevel.importing.content import described
from eyelevel.importing.exchange import Exchange
from eyelevel.importing.har import read_har

CSS = b"h1 { color: #384 }\n" * 9
ZIPPED, DEFLATED, RAW = gzip.compress(CSS, mtime=0), zlib.compress(CSS), zlib.compress(CSS, wbits=-15)
# of h1{}: a frame with its size, one raw block, and a checksum
ZSTD = b"\x28\xb5\x2f\xfd\x24\x04\x21\0\0h1{}\1\2\3\4"
BROTLI = b"\x0b\x02\x80h1{}\x03"
CHUNKED = ("Transfer-Encoding", "chunked")


def answer(body: bytes, *headers: tuple[str, str], kind: str | None = "text/css", status: int = 200) -> Exchange:
    typed = () if kind is None else (("Content-Type", kind),)
    return described(Exchange("https://a.example/", "GET", (), b"", status, "OK", (*typed, *headers), body))


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "br", "zstd", "compress", "deflate", "GZIP", "identity, gzip"])
@pytest.mark.parametrize("body", [CSS, b"h1{}", b"\x89PNG\r\n\x1a\n", "möwe".encode("latin-1") * 99])
def test_a_coding_that_the_body_does_not_have_is_left_out_by_name(coding: str, body: bytes) -> None:
    name = coding.lower().removeprefix("identity, ")
    for found in (
        answer(body, ("Content-Encoding", coding)),
        answer(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body), ("content-encoding", coding), CHUNKED),
    ):
        assert "content-encoding" not in {key.lower() for key, _ in found.headers}
        assert found.remarks == (
            f"its body is not encoded, though its Content-Encoding is {name}; the field is left out",
        )
        assert found.cut is None


def test_a_coding_that_http_does_not_have_is_left_out_by_name() -> None:
    found = answer(ZIPPED, ("Content-Encoding", "gzip, foo"))
    assert ("Content-Encoding", "gzip") in found.headers
    assert found.remarks == ("its Content-Encoding 'foo' is not an HTTP coding; the field is left out",)


@pytest.mark.parametrize(
    ("coding", "body"),
    [("gzip", ZIPPED), ("gzip", ZIPPED + ZIPPED), ("deflate", DEFLATED), ("deflate", RAW), ("br", BROTLI), ("br", b";"),
     ("zstd", ZSTD), ("compress", b"\x1f\x9d\x90\0"), ("gzip", b"")],
)  # fmt: skip
def test_a_coding_that_the_body_has_is_kept(coding: str, body: bytes) -> None:
    found = answer(body, ("Content-Encoding", coding), ("Content-Length", str(len(body))))
    assert ("Content-Encoding", coding) in found.headers
    assert (found.remarks, found.cut) == ((), None)
    partial = answer(body[5:], ("Content-Encoding", coding), status=206)
    assert (partial.remarks, partial.cut) == ((), None)


@pytest.mark.parametrize(
    ("coding", "body"), [("gzip", ZIPPED), ("deflate", DEFLATED), ("deflate", RAW), ("zstd", ZSTD)]
)
def test_coded_data_that_does_not_end_is_named(coding: str, body: bytes) -> None:
    part = body[:-5]
    for found in (
        answer(part, ("Content-Encoding", coding), ("Content-Length", str(len(part)))),
        answer(b"%x\r\n%b\r\n0\r\n\r\n" % (len(part), part), ("Content-Encoding", coding), CHUNKED),
    ):
        assert found.cut == f"its body is cut short or damaged: its {coding} data does not end"


@pytest.mark.parametrize("body", [b"40\r\nh1{}", b"10\r\n<title>a</tit", b"4\r\nh1{}\r\n10\r\nh2", b"4\r\nh1{}\r\n"])
def test_chunks_that_break_off_are_named(body: bytes) -> None:
    assert answer(body, CHUNKED).cut == "its body is cut short: its last chunk is missing"


@pytest.mark.parametrize("body", [CSS, b"add\nface\n", b"4\r\nh1{}\r\n0\r\n\r\n", b"1", b""])
def test_a_body_whose_chunks_are_undone_is_whole(body: bytes) -> None:
    assert answer(body, CHUNKED).cut is None


LAST = b"4\r\nh1{}\r\n0\r\n\r\n"


def test_what_does_not_belong_to_a_body_is_named() -> None:
    found = answer(b"x", ("Content-Length", "1"), status=204)
    assert (found.body, dict(found.headers)) == (b"", {"Content-Type": "text/css"})
    assert found.remarks == ("it has a body, though an answer of status 204 has none; the body is left out",)
    found = answer(LAST)
    assert found.body == b"h1{}"
    assert found.remarks == ("its body is chunked, though it has no Transfer-Encoding; the chunks are joined",)
    assert answer(LAST, ("Content-Length", "14")).remarks == ()
    for body, remarks in (
        (LAST, ()),
        (b"0\r\n\r\n", ()),
        (LAST[:-2], ()),
        (LAST[:-2] + b"A: b\r\n\r\n", ()),
        (LAST + b"12345", ("5 bytes follow the last chunk of its body; they are kept",)),
    ):
        assert answer(body, CHUNKED).remarks == remarks
    found = answer(b"h1{}", ("Content-Length", "4"), ("Content-Length", "7"))
    assert found.remarks == ("it has several lengths (4, 7); that of its body is kept (4)",)
    assert [value for name, value in found.headers if name == "Content-Length"] == ["4"]


PAGE = b"<!doctype html><title>a</title>"


@pytest.mark.parametrize("kind", [None, "x-unknown", "application/octet-stream", "none", "unknown/unknown"])
def test_html_whose_type_says_nothing_is_html(kind: str | None) -> None:
    comments = b"\xef\xbb\xbf\n" + b" <!-- x -->" * 2000
    for body in (PAGE, comments + b"<HTML lang=de>", b"<?xml version='1.0'?>\n<html>", gzip.compress(PAGE, mtime=0)):
        coding = (("Content-Encoding", "gzip"),) if body.startswith(b"\x1f") else ()
        found = answer(body, *coding, kind=kind)
        assert found.is_page
        assert found.remarks == (
            f"its body is HTML, though its type is {kind or 'not given'}; it is imported as text/html",
        )
    assert dict(answer(PAGE + "ü".encode(), kind=kind).headers)["Content-Type"] == "text/html; charset=utf-8"
    for other in (
        answer(comments + b"x", kind=kind),
        answer(b"h1{}", kind=kind),
        answer(PAGE, ("Content-Disposition", "attachment"), kind=kind),
    ):
        assert not other.is_page


def test_html_of_another_type_stays_what_it_is() -> None:
    assert not answer(PAGE, kind="text/plain").is_page


def har(kind: str, content: dict[str, Any], *headers: tuple[str, str], **response: Any) -> tuple[Exchange, ...]:
    named = [{"name": name, "value": value} for name, value in (("Content-Type", kind), *headers)]
    made = {"status": 200, "headers": named, "content": {"mimeType": kind, **content}, **response}
    odd = {"request": {"method": "GET", "url": "https://a.example/odd", "headers": []}, "response": made}
    page = {"status": 200, "headers": [], "content": {"mimeType": "text/html", "text": "<p>"}}
    entry = {"request": {"method": "GET", "url": "https://a.example/", "headers": []}, "response": page}
    return read_har(json.dumps({"log": {"entries": [odd, entry]}}).encode(), source="a.har").exchanges


def encoded(data: bytes, size: int | None, **more: Any) -> dict[str, Any]:
    return {"text": base64.b64encode(data).decode(), **({} if size is None else {"size": size}), **more}


BASE64 = {"encoding": "base64"}


@pytest.mark.parametrize(
    ("kind", "content", "coding"),
    [
        ("text/css", encoded(ZIPPED, len(ZIPPED), **BASE64), "gzip"),
        ("text/css", encoded(ZIPPED, len(CSS), **BASE64), "gzip"),
        ("text/css", encoded(ZIPPED, len(CSS), **BASE64), None),
        ("text/css", encoded(ZIPPED, None), "gzip"),
        ("text/css", encoded(DEFLATED, len(CSS), **BASE64), "deflate"),
        ("application/x-own", encoded(ZIPPED, len(CSS), **BASE64), "gzip"),
    ],
)
def test_a_body_of_a_har_that_is_still_encoded_is_decoded(
    kind: str, content: dict[str, Any], coding: str | None
) -> None:
    found, _ = har(kind, content, *((("content-encoding", coding),) if coding else ()))
    assert (found.body, dict(found.headers)["Content-Length"], found.cut) == (CSS, str(len(CSS)), None)
    assert "Content-Encoding" not in dict(found.headers)
    said = f"its body is still encoded ({coding or 'gzip'}), though bodies of a HAR are decoded; it is decoded"
    assert said in found.remarks


def test_a_body_of_a_har_keeps_a_coding_that_cannot_be_undone() -> None:
    found, _ = har("text/css", encoded(BROTLI, 4, **BASE64), ("content-encoding", "br"))
    assert (found.body, dict(found.headers)["Content-Encoding"], found.cut) == (BROTLI, "br", None)
    assert "its Content-Encoding is kept" in found.remarks[0]
    # as nearly all are
    for kind, data in (("text/css", CSS), ("image/png", b"\x89PNG\r\n\x1a\n\0"), ("font/woff2", b"wOF2\0\1")):
        for coding in ("br", "gzip", "zstd", "deflate"):
            found, _ = har(kind, encoded(data, len(data), **BASE64), ("content-encoding", coding))
            assert (found.body, found.remarks) == (data, ())
    found, _ = har("application/gzip", encoded(ZIPPED, len(ZIPPED), **BASE64))
    assert (found.body, found.remarks) == (ZIPPED, ())


def test_an_encoded_body_of_a_har_that_does_not_end_is_cut() -> None:
    found, _ = har("text/css", encoded(ZIPPED[:-12], len(CSS), **BASE64), ("content-encoding", "gzip"))
    assert found.cut == "its body is cut short: its gzip data does not end"


LENGTH = ("Content-Length", "500")


@pytest.mark.parametrize(
    ("content", "headers", "response", "is_kept"),
    [
        ({"size": 0}, [LENGTH], {}, False),
        ({"size": 0, "text": ""}, [LENGTH], {}, False),
        ({"size": 0}, [], {"bodySize": 500}, False),
        ({"size": 0}, [], {"bodySize": 500, "status": 404}, True),
        ({"size": 0}, [], {"bodySize": 500, "status": 302}, True),
        ({"size": 0}, [("Content-Length", "0")], {"bodySize": 500}, True),
        ({"size": 0}, [("Content-Length", "20"), ("Content-Encoding", "gzip")], {}, True),
        ({"size": 0}, [], {"bodySize": 0}, True),
    ],
)
def test_an_empty_content_of_an_answer_that_had_a_body_is_missing(
    content: dict[str, Any], headers: list[tuple[str, str]], response: dict[str, Any], is_kept: bool
) -> None:
    found = har("text/css", content, *headers, **response)
    assert (len(found) == 2) == is_kept


def test_the_target_of_a_redirect_is_that_of_the_entry_where_no_header_names_it() -> None:
    target = {"status": 301, "redirectURL": "https://a.example/"}
    found, _ = har("", {"size": 0}, **target)
    assert dict(found.headers)["Location"] == "https://a.example/"
    found, _ = har("", {"size": 0}, ("location", "/b"), **target)
    assert [value for name, value in found.headers if name.lower() == "location"] == ["/b"]
