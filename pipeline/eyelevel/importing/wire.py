"""Converts between text and bytes as HTTP sends them: URLs, header fields, messages. Pure.

Header text is latin-1: each character is one recorded byte, in any original encoding.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlsplit

import idna

from eyelevel.record.addresses import split

Headers = tuple[tuple[str, str], ...]
# characters that are invalid in a header field (RFC 9110, section 5.5): control characters except the tab
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# a method, or the name of a field (RFC 9110, section 5.6.2)
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
END_OF_HEAD = re.compile(rb"\r*\n\r*\n")
# str.strip() alone would also remove the byte A0, which ends many letters in UTF-8
BLANK = " \t"
# characters that browsers do not encode in a path and in a query (URL Standard, percent-encode sets); % is kept
PATH, QUERY = "!$%&'()*+,-./:;=@[\\]^_|~", "!$%&()*+,-./:;=?@[\\]^_`{|}~"
CREDENTIALS = re.compile(r"\s*https?://([^/?#]*@)", re.IGNORECASE)
REDIRECTS = {301, 302, 303, 307, 308}
USUAL_PORTS = {"http": ":80", "https": ":443"}
# schemes whose requests never go over HTTP
LOCAL = re.compile(
    r"(data|blob|wss?|about|file|filesystem|javascript|view-source|chrome|chrome-extension|moz-extension|edge|devtools"
    r"|safari-web-extension|mailto|ftp|urn|dns|whois|metadata):",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Message:
    """An HTTP message, or the header of a WARC record with its block; `odd_lines` of the header have no colon."""

    first_line: str
    headers: Headers
    body: bytes
    odd_lines: tuple[str, ...] = ()

    def field(self, name: str) -> str | None:
        """Returns the first value of a header field; None if it is missing."""
        return named(self.headers, name)


def message(data: bytes, encoding: str = "latin-1") -> Message:
    """Splits data into header and body; header lines without a colon are returned as odd."""
    data = data.lstrip(b"\r\n")
    end = END_OF_HEAD.search(data)
    head, body = (data[: end.start()], data[end.end() :]) if end else (data.rstrip(b"\r\n"), b"")
    lines = [line.rstrip("\r") for line in head.decode(encoding, "surrogateescape").split("\n")]
    headers, odd = list[tuple[str, str]](), list[str]()
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if line.startswith((" ", "\t")) and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip(BLANK)}".strip(BLANK))
        elif colon:
            headers.append((name.strip(BLANK), value.strip(BLANK)))
        elif line.strip(BLANK):
            odd.append(line.strip(BLANK))
    return Message(lines[0].strip(BLANK), tuple(headers), body, tuple(odd))


def status_of(first_line: str) -> tuple[int, str] | None:
    """Returns status and reason of a status line; None if it is invalid."""
    match = re.fullmatch(r"HTTP/[0-9.]+ +([0-9]{3})(?: (.*))?", first_line, re.IGNORECASE | re.DOTALL)
    return None if match is None else (int(match[1]), (match[2] or "").strip(BLANK))


def named(headers: Headers, name: str) -> str | None:
    """Returns the first value of a header field; None if it is missing."""
    return next((value for key, value in headers if key.lower() == name.lower()), None)


def without(headers: Headers, *names: str) -> Headers:
    """Returns the fields without those of these names, which must be in lower case."""
    return tuple((name, value) for name, value in headers if name.lower() not in names)


def latin(text: str) -> str:
    """Returns Unicode text as header text: bytes of latin-1 if it has all characters, otherwise of UTF-8."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass").decode("latin-1")
    return text


def is_local(url: str) -> bool:
    """Returns whether requests of this URL never use HTTP, such as data: and ws:."""
    return LOCAL.match(url) is not None


def as_sent(url: str) -> str | None:
    """Returns the URL as browsers send it: no user, fragment or default port, the host in ASCII, percent-encoded.

    None if it is not a complete http or https URL. Surrogates represent bytes that are not UTF-8.
    """
    url = url.strip(" ").partition("#")[0]
    parts = None if CONTROL.search(url) or "\t" in url else split(url)
    place = None if parts is None else _place(parts)
    if parts is None or place is None:
        return None
    query = f"?{_quoted(parts.query, QUERY)}" if parts.query else "?" if url.endswith("?") else ""
    return f"{parts.scheme}://{place}{_quoted(_resolved(parts.path), PATH) or '/'}{query}"


def _resolved(path: str) -> str:
    """The path without dot segments, and with slashes instead of backslashes (URL Standard, path state)."""
    if "." not in path.replace("%2e", ".").replace("%2E", ".") and "\\" not in path:
        return path
    resolved: list[str] = []
    segments = path.replace("\\", "/").split("/")[1:]
    for number, segment in enumerate(segments):
        dots, is_last = segment.lower().replace("%2e", "."), number == len(segments) - 1
        if dots == "..":
            resolved = resolved[:-1]
        elif dots != ".":
            resolved.append(segment)
        if dots in {".", ".."} and is_last:
            resolved.append("")
    return "/" + "/".join(resolved)


def credentials(url: str) -> str:
    """Returns the user name and password of a URL, with the @ after them; an empty string if it has none."""
    match = CREDENTIALS.match(url)
    return match[1] if match else ""


def _place(parts: SplitResult) -> str | None:
    place = parts.netloc.rpartition("@")[2]
    place = place.removesuffix(USUAL_PORTS[parts.scheme]).removesuffix(":")
    host, colon, port = place.rpartition(":") if re.search(r":\d+$", place) else (place, "", "")
    host = host if host.isascii() else _ascii(host)
    if not host or re.search(r'[\s"<>\\^`{|}%]', host):
        return None
    return f"{host.lower()}{colon}{port}"


def _ascii(host: str) -> str:
    """The host in ASCII by UTS 46, as in browsers, else by the older IDNA 2003 (for symbols); empty if both fail."""
    with suppress(UnicodeError):
        return idna.encode(host, uts46=True).decode()
    with suppress(UnicodeError):
        return host.encode("idna").decode()
    return ""


def _quoted(text: str, safe: str) -> str:
    try:
        return quote(text, safe, "utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return quote(text.encode("utf-8", "replace"), safe)


def target(url: str) -> str:
    """Returns the target of a URL in a request line: path and query."""
    parts = urlsplit(url)
    return f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


def printable(text: str) -> str:
    """Returns the text for a line in a terminal, with unprintable characters escaped."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
