"""Reads all requests and responses of a browser from a HAR file."""

import base64
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PRINTABLE = re.compile(rb"[\x20-\x7e\t]{6,}")
DATA_BLOCK = re.compile(r'<script[^>]* type="application/json">(.*?)</script>', re.S)
# requests that a browser begins and gives up, and answers without a body
BODILESS = (-1, 0, 204, 304)


@dataclass(frozen=True)
class Piece:
    """A part of the traffic: where it stood, and what it says. `kind` is url, headers, json, text or binary."""

    where: str
    kind: str
    text: str


def pieces(har: Path) -> list[Piece]:
    """URLs, headers and bodies of all requests and responses; raise AssertionError where a body was not recorded."""
    entries = json.loads(har.read_text(encoding="utf-8"))["log"]["entries"]
    # what the page takes from its cache a second time has no body again
    missing = {_url(entry) for entry in entries if _lacks_body(entry)}
    recorded = {_url(entry) for entry in entries if entry["response"]["content"].get("text")}
    cached = {url for url in recorded if "/assets/" in url}
    assert missing <= cached, f"no body was recorded of {sorted(missing - cached)}"
    return [piece for entry in entries for piece in _pieces_of(entry)]


def _url(entry: dict[str, Any]) -> str:
    url: str = entry["request"]["url"]
    return url


def _lacks_body(entry: dict[str, Any]) -> bool:
    response = entry["response"]
    # one that had not come to its end when the page was closed has no body yet
    ended = response["bodySize"] != -1
    expected = ended and response["status"] not in BODILESS and response["content"]["size"] != 0
    return expected and not response["content"].get("text")


def _pieces_of(entry: dict[str, Any]) -> Iterator[Piece]:
    request, response = entry["request"], entry["response"]
    where = f"{request['method']} {request['url']}"
    yield Piece(f"{where} (url)", "url", request["url"])
    yield Piece(f"{where} (request headers)", "headers", _headers(request))
    yield Piece(f"{where} (response headers)", "headers", _headers(response))
    if "postData" in request:
        yield Piece(f"{where} (request body)", "json", request["postData"]["text"])
    content = response["content"]
    if content.get("text"):
        body = _body(f"{where} (response body)", content)
        yield body
        # data that a document has brought
        for block in DATA_BLOCK.findall(body.text if body.kind == "text" else ""):
            yield Piece(f"{where} (data block)", "json", block)


def _headers(message: dict[str, Any]) -> str:
    return "\n".join(f"{header['name']}: {header['value']}" for header in message["headers"])


def _body(where: str, content: dict[str, Any]) -> Piece:
    encoded = content.get("encoding") == "base64"
    data = base64.b64decode(content["text"]) if encoded else content["text"].encode()
    media_type = content["mimeType"].split(";")[0]
    if media_type == "application/json":
        return Piece(where, "json", data.decode())
    if media_type == "video/mp4":
        return Piece(where, "binary", video_words(data))
    if media_type.startswith(("text/", "image/svg", "application/javascript")):
        return Piece(where, "text", data.decode())
    return Piece(where, "binary", _printable(data))


def video_words(data: bytes) -> str:
    """What ffprobe tells of a video, and every readable word in its bytes."""
    command = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-show_chapters", "-of", "json", "-"]
    output = subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode()
    return f"{output}\n{_printable(data)}"


def _printable(data: bytes) -> str:
    return "\n".join(run.decode("ascii") for run in PRINTABLE.findall(data))
