"""Restores bodies from the content of a HAR: text, or base64 as exporters write it. Pure."""

import base64
import binascii
import re
from dataclasses import dataclass, replace

from eyelevel.importing.codings import BROTLI, DEFLATED, GZIPPED, ZSTANDARD, has, inflated, is_plain
from eyelevel.importing.fields import Fields
from eyelevel.importing.opened import MEMBER
from eyelevel.importing.signatures import TEXT_TYPES, UNSPECIFIC, signatures
from eyelevel.recorded import is_html

# names that exporters give to plain text
PLAIN = {"", "utf-8", "utf8", "text", "identity", "none"}
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
ALPHABET = re.compile(r"[A-Za-z0-9+/]*")
UNDECLARED = "its body is base64, though the file does not say so; it is decoded"
AS_TEXT = "its body is text, though the file says base64; it is kept unchanged"
BINARY_AS_TEXT = "its body is text, though its type is {kind}; it may be damaged"
RAW = "its text has bytes that are not UTF-8; they are kept"
STILL_ZIPPED = "its body is still encoded ({coding}), though bodies of a HAR are decoded; it is decoded"
STILL_CODED = "its body is still encoded ({coding}), though bodies of a HAR are decoded; its Content-Encoding is kept"
CODE_IS_CUT = "its body is cut short: its {coding} data does not end"
ZIPPED_TYPES = {"application/gzip", "application/x-gzip", "application/x-compressed-tar", "application/x-tgz"}
LONE = "its text has invalid Unicode characters; they are replaced"


@dataclass(frozen=True)
class Body:
    """A body; `data` is None if the file has none, and `declared_bytes` is its size by the file, None if unknown.

    `is_text`: it was text, and is written in UTF-8. `coding` is the content coding that it still has. `cut` is why it
    is incomplete.
    """

    data: bytes | None
    declared_bytes: int | None
    is_text: bool = False
    remarks: tuple[str, ...] = ()
    coding: str = ""
    cut: str | None = None


def body(content: Fields, media_type: str, coding: str = "") -> Body:
    """Returns the body; `coding` is that of the header. Raises WrongFieldError if a body cannot be read."""
    return _uncoded(_body(content, media_type), media_type.partition(";")[0].strip().lower(), coding)


def _body(content: Fields, media_type: str) -> Body:
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
    plain = _as_text(text, size)
    remarks = (BINARY_AS_TEXT.format(kind=kind),) if signatures(kind) and kind not in UNSPECIFIC else ()
    return Body(plain.data, plain.declared_bytes, plain.is_text, (*plain.remarks, *remarks))


def _uncoded(body: Body, kind: str, coding: str) -> Body:
    """The body, decoded if it is still encoded and this is possible; otherwise it keeps its coding.

    Its size may be that of the encoded body.
    """
    data = body.data
    if not data or body.is_text or kind in ZIPPED_TYPES:
        return body
    is_text = TEXT_TYPES.match(kind) is not None
    if data.startswith(MEMBER) and is_text and coding not in GZIPPED:
        coding = "gzip"
    size = None if body.declared_bytes == len(data) else body.declared_bytes
    if coding in GZIPPED | DEFLATED and not _is_decoded(data, kind):
        plain = inflated(data, coding)
        if plain is None:
            return body
        cut = None if plain.is_whole else CODE_IS_CUT.format(coding=coding)
        remarks = (*body.remarks, STILL_ZIPPED.format(coding=coding))
        return replace(body, data=plain.data, declared_bytes=size, remarks=remarks, cut=cut)
    if coding in BROTLI | ZSTANDARD and not _is_decoded(data, kind) and has(data, coding):
        remarks = (*body.remarks, STILL_CODED.format(coding=coding))
        return replace(body, declared_bytes=None, remarks=remarks, coding=coding)
    return body


def _is_decoded(data: bytes, kind: str) -> bool:
    """Whether the bytes look like a file of this type; if the type is unknown, whether they are not gzip."""
    if TEXT_TYPES.match(kind):
        return is_plain(data)
    known = () if kind in UNSPECIFIC else signatures(kind)
    return data.startswith(known) if known else not data.startswith(MEMBER)


def _declared(content: Fields, text: str, size: int | None, kind: str) -> Body:
    data, is_text = decoded(text), TEXT_TYPES.match(kind) is not None
    if data is None and not is_text:
        raise content.wrong("text", "base64, as encoding says")
    if data is None or (is_text and size == len(text_bytes(text)) != len(data)):
        plain = _as_text(text, size)
        return replace(plain, remarks=(AS_TEXT, *plain.remarks))
    return Body(data, size)


def _as_text(text: str, size: int | None) -> Body:
    """The text as a body; its size is ignored if UTF-16, a byte order mark or shortened line ends explain it."""
    data = text_bytes(text)
    units = len(text.encode("utf-16-le", "surrogatepass"))
    lines = text.count("\n") if "\r" not in text else 0
    explained = size in {len(data) + 3, units, units + 2, len(data) + lines}
    remark = () if LONE_SURROGATE.search(text) is None else (LONE if "\ufffd".encode() in data else RAW,)
    return Body(data, None if explained else size, True, remark)


def text_bytes(text: str) -> bytes:
    """Returns UTF-8; surrogates that represent bytes of the file become these bytes, others replacement characters."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return LONE_SURROGATE.sub("\ufffd", text).encode()


def decoded(text: str) -> bytes | None:
    """Returns decoded base64, also with line breaks, without padding, URL-safe, or as a data URL; None if invalid."""
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
    """Returns the bytes of text that is base64 by its size or by the signature of its type; else None."""
    data = decoded(text)
    if not data:
        return None
    known = signatures(kind)
    is_page = is_html(kind) and data.lstrip().startswith(b"<")
    if is_page or (data.startswith(MEMBER) and TEXT_TYPES.match(kind)):
        return data
    is_of_kind = bool(known) and data.startswith(known) and not text.encode("utf-8", "replace").startswith(known)
    return data if is_of_kind or (size == len(data) != len(text)) else None
