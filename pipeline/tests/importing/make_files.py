"""Makes the files of other tools that the tests import: garden.wacz with py-wacz, and mahimahi/ with protobuf.

In an environment of its own: pip install wacz==0.6.0 protobuf==7.36.2, then python make_files.py.
"""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = Path(__file__).parent
PAGE = b'<!doctype html><title>garden</title><img src="/moss.png"><img src="https://img.example/moss.png">'
PICTURE = b"\x89PNG moss"
DATE = "2026-11-20T10:00:00Z"


def wacz() -> None:
    """A page, a picture, and the same picture on another host, stored as a pointer to the first."""
    with TemporaryDirectory() as place:
        path = Path(place) / "garden.warc.gz"
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            picture = [("Content-Type", "image/png")]
            for url, headers, body in (
                ("https://other.example/", [("Content-Type", "text/html")], b"<title>other</title>"),
                ("https://garden.example/", [("Content-Type", "text/html")], PAGE),
                ("https://garden.example/moss.png", picture, PICTURE),
            ):
                response = writer.create_warc_record(
                    url,
                    "response",
                    payload=BytesIO(body),
                    http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
                    warc_headers_dict={"WARC-Date": DATE, "WARC-IP-Address": "192.0.2.1"},
                )
                request = writer.create_warc_record(
                    url,
                    "request",
                    http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Accept", "*/*")], is_http_request=True),
                    warc_headers_dict={
                        "WARC-Date": DATE,
                        "WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID"),
                    },
                )
                writer.write_request_response_pair(request, response)
            digest = response.rec_headers.get_header("WARC-Payload-Digest")
            for url, pointed in (("https://img.example/moss.png", digest), ("https://img.example/gone", "sha1:AAAA")):
                revisit = writer.create_revisit_record(
                    url,
                    digest=pointed,
                    refers_to_uri="https://garden.example/moss.png",
                    refers_to_date=DATE,
                    http_headers=StatusAndHeaders("200 OK", picture, protocol="HTTP/1.1"),
                )
                writer.write_record(revisit)
        command = [
            str(Path(sys.executable).with_name("wacz")),
            "create",
            "-f",
            str(path),
            "-o",
            str(HERE / "garden.wacz"),
        ]
        subprocess.run([*command, "--url", "https://garden.example/", "--ts", "20261120100000"], check=True)


def mahimahi() -> None:
    """A page over https with one picture from another port, as mm-webrecord stores them: headers and raw bodies."""
    record = _request_response()
    for name, scheme, ip, port, host, path, referer, headers, body in (
        ("save.B2xLQe", 2, "192.0.2.1", 443, "garden.example", "/", "", {"Content-Type": "text/html"}, PAGE),
        (
            "save.A1bcDe", 1, "192.0.2.2", 8080, "img.example", "/moss.png?a=1", "https://garden.example/",
            {"Content-Type": "image/png", "Transfer-Encoding": "chunked"}, b"9\r\n" + PICTURE + b"\r\n0\r\n\r\n",
        ),
    ):  # fmt: skip
        exchange = record(ip=ip, port=port, scheme=scheme)
        exchange.request.first_line = f"GET {path} HTTP/1.1".encode()
        for key, value in {"Host": host, **({"Referer": referer} if referer else {})}.items():
            exchange.request.header.add(key=key.encode(), value=value.encode())
        exchange.response.first_line = b"HTTP/1.1 200 OK"
        for key, value in headers.items():
            exchange.response.header.add(key=key.encode(), value=value.encode())
        exchange.response.body = body
        (HERE / "mahimahi").mkdir(exist_ok=True)
        (HERE / "mahimahi" / name).write_bytes(exchange.SerializeToString())


def _request_response() -> Any:
    """The message by its documented fields, made without a generated module."""
    file = descriptor_pb2.FileDescriptorProto(name="exchange.proto", package="recorded")
    kinds = descriptor_pb2.FieldDescriptorProto

    def message(name: str, fields: list[tuple[str, int, int, str]]) -> None:
        made = file.message_type.add(name=name)
        for field, number, kind, of in fields:
            label = kinds.LABEL_REPEATED if field == "header" else kinds.LABEL_OPTIONAL
            made.field.add(name=field, number=number, type=kind, label=label, type_name=of or None)

    message("Header", [("key", 1, kinds.TYPE_BYTES, ""), ("value", 2, kinds.TYPE_BYTES, "")])
    message(
        "Http",
        [
            ("first_line", 1, kinds.TYPE_BYTES, ""),
            ("header", 2, kinds.TYPE_MESSAGE, ".recorded.Header"),
            ("body", 3, kinds.TYPE_BYTES, ""),
        ],
    )
    message(
        "RequestResponse",
        [
            ("ip", 1, kinds.TYPE_STRING, ""),
            ("port", 2, kinds.TYPE_UINT32, ""),
            ("scheme", 3, kinds.TYPE_INT32, ""),
            ("request", 4, kinds.TYPE_MESSAGE, ".recorded.Http"),
            ("response", 5, kinds.TYPE_MESSAGE, ".recorded.Http"),
        ],
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("recorded.RequestResponse"))


if __name__ == "__main__":
    wacz()
    mahimahi()
