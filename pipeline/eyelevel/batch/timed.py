"""Pictures with their times as a Matroska stream of raw video, which ffmpeg reads from a pipe.

Raw video in a pipe has no times, so a picture that is shown for a second would have to be sent sixty times. Only
elements that ffmpeg needs are written; https://www.matroska.org/technical/elements.html lists them by id.
"""

from eyelevel.batch.planar import Picture

UNKNOWN_SIZE = bytes.fromhex("01ffffffffffffff")
NANOSECONDS = 1_000_000_000


def head(*, width_px: int, height_px: int, frame_rate: int) -> bytes:
    """Returns the bytes before the first picture; the unit of time is a frame."""
    pixels = _element("b0", _number(width_px)) + _element("ba", _number(height_px)) + _element("2eb524", b"I420")
    track = (
        *(_element("d7", _number(1)), _element("73c5", _number(1)), _element("83", _number(1))),
        *(_element("86", b"V_UNCOMPRESSED"), _element("e0", pixels)),
    )
    return b"".join(
        (
            _element("1a45dfa3", _element("4282", b"matroska")),
            bytes.fromhex("18538067") + UNKNOWN_SIZE,
            _element("1549a966", _element("2ad7b1", _number(round(NANOSECONDS / frame_rate)))),
            _element("1654ae6b", _element("ae", b"".join(track))),
        )
    )


def before(frame: int, picture: Picture) -> bytes:
    """Returns the bytes before a picture that is shown from this frame on."""
    time, block = _element("e7", _number(frame)), bytes.fromhex("81000080")
    size = len(block) + picture.data.nbytes
    inner = bytes.fromhex("a3") + _size(size) + block
    return bytes.fromhex("1f43b675") + _size(len(time) + len(inner) + picture.data.nbytes) + time + inner


def _element(name: str, content: bytes) -> bytes:
    return bytes.fromhex(name) + _size(len(content)) + content


def _size(size: int) -> bytes:
    return (1 << 56 | size).to_bytes(8, "big")


def _number(value: int) -> bytes:
    return value.to_bytes(8, "big")
