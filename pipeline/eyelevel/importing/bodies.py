"""Restores a body from the content of a HAR: text, or base64 in the forms that exporters write. Pure."""

import base64
import binascii
import re
from dataclasses import dataclass, replace

from eyelevel.importing.fields import Fields

# names that exporters give to plain text
PLAIN = {"", "utf-8", "utf8", "text", "identity", "none"}
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
ALPHABET = re.compile(r"[A-Za-z0-9+/]*")
TEXT_TYPES = re.compile(r"text/|application/(?:\w[\w.-]*\+)?(?:json|xml|xhtml\+xml|javascript|x-javascript|ecmascript"
                        r"|x-www-form-urlencoded|manifest\+json)|image/svg\+xml")  # fmt: skip
# how files of a type begin, by the beginning of the type
SIGNATURES: dict[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG",),
    "image/jp": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF8",),
    "image/webp": (b"RIFF",),
    "image/avif": (b"\0\0\0",),
    "image/bmp": (b"BM",),
    "image/x-icon": (b"\0\0\1\0", b"\x89PNG"),
    "image/vnd.microsoft.icon": (b"\0\0\1\0", b"\x89PNG"),
    "font/": (b"wOFF", b"wOF2", b"\0\1\0\0", b"OTTO", b"true"),
    "application/font": (b"wOFF", b"wOF2", b"\0\1\0\0", b"OTTO"),
    "application/x-font": (b"wOFF", b"wOF2", b"\0\1\0\0", b"OTTO"),
    "application/wasm": (b"\0asm",),
    "application/pdf": (b"%PDF",),
    "application/zip": (b"PK",),
    "application/gzip": (b"\x1f\x8b",),
    "audio/": (b"ID3", b"OggS", b"RIFF", b"fLaC", b"\xff\xfb", b"\xff\xf3", b"\xff\xf1", b"\0\0\0"),
    "video/": (b"\0\0\0", b"\x1aE\xdf\xa3", b"OggS", b"RIFF", b"G@"),
}
UNSPECIFIC = {"application/octet-stream", "binary/octet-stream", "application/binary"}
ALL_SIGNATURES = tuple(one for known in SIGNATURES.values() for one in known if len(one) > 2)
UNDECLARED = "its body is base64, though the file does not say so; it is decoded"
AS_TEXT = "its body is said to be base64, and is text; it is taken as it is"
BINARY_AS_TEXT = "its body is text, though its type is {kind}; it may be damaged"
RAW = "its text has bytes that are not UTF-8; they are kept"
LONE = "its text has characters that are no Unicode; they are replaced"


@dataclass(frozen=True)
class Body:
    """`data` is None where the file has no body; `declared_bytes` is its size by the file, None where it is unknown.

    `is_text` says whether it was text, which is written in UTF-8.
    """

    data: bytes | None
    declared_bytes: int | None
    is_text: bool = False
    remarks: tuple[str, ...] = ()


def body(content: Fields, media_type: str) -> Body:
    """Raise WrongFieldError where there is a body that cannot be read."""
    size = content.optional_number("size")
    size = None if size is None or size < 0 else size
    text = content.optional_text("text")
    if not text:
        return Body(None, 0 if text == "" and size is None else size)
    encoding = content.some_text("encoding").strip().lower()
    kind = media_type.partition(";")[0].strip().lower()
    if encoding == "base64":
        return _declared(content, text, size, kind)
    if encoding not in PLAIN:
        raise content.wrong("encoding", "base64, or left out for text")
    data = undeclared(text, kind, size)
    if data is not None:
        return Body(data, size, remarks=(UNDECLARED,))
    found = _as_text(text, size)
    remarks = (BINARY_AS_TEXT.format(kind=kind),) if signatures(kind) and kind not in UNSPECIFIC else ()
    return Body(found.data, found.declared_bytes, found.is_text, (*found.remarks, *remarks))


def _declared(content: Fields, text: str, size: int | None, kind: str) -> Body:
    data, is_text = decoded(text), TEXT_TYPES.match(kind) is not None
    if data is None and not is_text:
        raise content.wrong("text", "base64, as encoding says")
    if data is None or (is_text and size == len(text_bytes(text)) != len(data)):
        found = _as_text(text, size)
        return replace(found, remarks=(AS_TEXT, *found.remarks))
    return Body(data, size)


def _as_text(text: str, size: int | None) -> Body:
    """The size does not count where UTF-16 or a byte order mark explains it."""
    data = text_bytes(text)
    units = len(text.encode("utf-16-le", "surrogatepass"))
    explained = size in {len(data) + 3, units, units + 2}
    remark = () if LONE_SURROGATE.search(text) is None else (LONE if "\ufffd".encode() in data else RAW,)
    return Body(data, None if explained else size, True, remark)


def text_bytes(text: str) -> bytes:
    """UTF-8; surrogates that stand for bytes of the file become these bytes, and others a replacement character."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return LONE_SURROGATE.sub("\ufffd", text).encode()


def decoded(text: str) -> bytes | None:
    """Base64 with line breaks, without padding, in the alphabet of URLs, or as a data URL; None where it is none."""
    if text.startswith("data:"):
        text = text.partition(";base64,")[2] or text
    bare = "".join(text.split()).rstrip("=").replace("-", "+").replace("_", "/")
    if ALPHABET.fullmatch(bare) is None:
        return None
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def undeclared(text: str, kind: str, size: int | None) -> bytes | None:
    """The bytes that the text encodes in base64, where their size or the beginning of files of their type says so."""
    data = decoded(text)
    if not data:
        return None
    known = signatures(kind)
    is_of_kind = bool(known) and data.startswith(known) and not text.encode("utf-8", "replace").startswith(known)
    return data if is_of_kind or (size == len(data) != len(text)) else None


def signatures(kind: str) -> tuple[bytes, ...]:
    """How files of this type begin; empty where that is not known."""
    if kind in UNSPECIFIC:
        return ALL_SIGNATURES
    return next((known for start, known in SIGNATURES.items() if kind.startswith(start)), ())
