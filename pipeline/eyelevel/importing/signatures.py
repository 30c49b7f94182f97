"""Signatures of files by media type, and the types that are text. Pure."""

import re

TEXT_TYPES = re.compile(r"text/|application/(?:\w[\w.-]*\+)?(?:json|xml|xhtml\+xml|javascript|x-javascript|ecmascript"
                        r"|x-www-form-urlencoded|manifest\+json)|image/svg\+xml")  # fmt: skip
# first bytes of files, by the beginning of their type
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
ALL_SIGNATURES = tuple(signature for known in SIGNATURES.values() for signature in known if len(signature) > 2)


def signatures(kind: str) -> tuple[bytes, ...]:
    """Returns the signatures of files of this type; empty if unknown."""
    if kind in UNSPECIFIC:
        return ALL_SIGNATURES
    return next((known for start, known in SIGNATURES.items() if kind.startswith(start)), ())
