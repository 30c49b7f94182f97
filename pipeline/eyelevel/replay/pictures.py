"""Pictures of a replay check: the recorded screenshot, and the differences from it."""

import struct
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eyelevel.errors import BadInputError
from eyelevel.motion.tiles import Tiles, differing, pixels_of, tiles_of
from eyelevel.raw_headers import raw_records
from eyelevel.recording import SCREENSHOT
from eyelevel_core.comparability.boxes import Box
from eyelevel_core.comparability.ssim import Picture, similarity
from eyelevel_core.model.device import DESKTOP
from eyelevel_core.model.mask import THRESHOLD, TILE_PX, Mask

WHITE = 255
# the share of the recorded picture that shows behind the differences
FAINT = 0.25
RED: NDArray[np.uint8] = np.array([208, 32, 32], np.uint8)
GREY: NDArray[np.uint8] = np.array([150, 160, 172], np.uint8)
# of a recorded screenshot, which may come from elsewhere: above the largest viewport of a campaign (3840 x 2160), and
# above its uncompressed size
MOST_SIDE_PX = 4096
MOST_PNG_BYTES = 64 << 20
# the signature of a PNG and the name of its first chunk, which holds width and height (PNG, sections 5.2 and 11.2.1)
SIGNATURE, FIRST_CHUNK = b"\x89PNG\r\n\x1a\n", b"IHDR"
CURE = "record the page again"


def recorded_screenshot(recording: Path) -> bytes | None:
    """Returns the PNG of the settled page in the recording; None if it has none.

    Raises BadInputError if it is not a PNG, or larger than MOST_SIDE_PX in a direction or MOST_PNG_BYTES.
    """
    with recording.open("rb") as file:
        for record in raw_records(file):
            if record.rec_type == "resource" and record.rec_headers.get_header("WARC-Target-URI") == SCREENSHOT:
                png = _read(record.content_stream(), MOST_PNG_BYTES + 1)
                if (wrong := _why_not_read(png)) is not None:
                    raise BadInputError(f"{recording}: the screenshot {wrong}; {CURE}.")
                return png
    return None


def _read(stream: Any, most_bytes: int) -> bytes:
    """Reads up to `most_bytes`; a single read of warcio may return fewer than requested."""
    parts, left = [], most_bytes
    while left > 0 and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _why_not_read(png: bytes) -> str | None:
    """The reason, or None if the picture can be read; sizes are checked before anything is decompressed."""
    if len(png) > MOST_PNG_BYTES:
        return f"has more than {MOST_PNG_BYTES:,} bytes"
    if png[:8] != SIGNATURE or png[12:16] != FIRST_CHUNK or len(png) < 24:
        return "is not a PNG"
    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    if not (0 < width <= MOST_SIDE_PX and 0 < height <= MOST_SIDE_PX):
        return f"is {width} x {height} pixels, but must be from 1 x 1 to {MOST_SIDE_PX} x {MOST_SIDE_PX}"
    try:
        picture(png)
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        return f"is a damaged PNG ({error})"
    return None


def picture(png: bytes) -> Picture:
    """Returns the pixels of a PNG: height x width x 3 (red, green, blue)."""
    return np.asarray(Image.open(BytesIO(png), formats=("PNG",)).convert("RGB"))


def png_of(shown: Picture) -> bytes:
    """Returns the picture as a PNG."""
    file = BytesIO()
    Image.fromarray(shown).save(file, "PNG", optimize=True)
    return file.getvalue()


def similarity_of(screenshot: bytes, recorded: bytes | None, mask: Mask | None) -> float | None:
    """Returns the SSIM outside the mask; None without a recorded screenshot, or with one of another size."""
    if recorded is None:
        return None
    one, other = picture(screenshot), picture(recorded)
    if one.shape != other.shape:
        return None
    return similarity(one, other, _masked(mask, one.shape[0], one.shape[1]))


def changed(
    screenshot: bytes, other: bytes | None, mask: Mask | None, *, pixel_ratio: float = 1
) -> tuple[Box, ...] | None:
    """Returns boxes of the tiles in which a pixel outside the mask differs, in CSS pixels.

    A CSS pixel has `pixel_ratio` device pixels per direction. None if there is no other picture of the same size.
    """
    if other is None:
        return None
    one, two = picture(screenshot), picture(other)
    if one.shape != two.shape:
        return None
    differs = differing(one, two, THRESHOLD) & ~_masked(mask, *one.shape[:2])
    boxes = _boxes(tiles_of(differs), *one.shape[:2])
    return tuple(tuple(side / pixel_ratio for side in box) for box in boxes)


def _boxes(tiles: Tiles, height: int, width: int) -> tuple[Box, ...]:
    """The tiles as few boxes: runs in each row, joined with those of the same columns in the row above."""
    done: list[Box] = []
    above: dict[tuple[int, int], int] = {}
    for row, marked in enumerate(np.pad(tiles, ((0, 1), (1, 1)))):
        edges = np.flatnonzero(np.diff(marked.astype(np.int8)))
        runs = {(int(begin), int(end)): row for begin, end in zip(edges[::2], edges[1::2], strict=True)}
        for (begin, end), first in above.items():
            if (begin, end) in runs:
                runs[begin, end] = first
            else:
                left, top = begin * TILE_PX, first * TILE_PX
                done.append((left, top, min(end * TILE_PX, width) - left, min(row * TILE_PX, height) - top))
        above = runs
    return tuple(sorted(done))


def other_size(screenshot: bytes, recorded: bytes | None, device: str = DESKTOP.name) -> str | None:
    """Returns why the recorded screenshot is not compared, as a sentence; None if it is compared or missing."""
    if recorded is None:
        return None
    (height, width, _), (recorded_height, recorded_width, _) = picture(screenshot).shape, picture(recorded).shape
    if (width, height) == (recorded_width, recorded_height):
        return None
    return (
        f"The recorded screenshot is {recorded_width} x {recorded_height} pixels and the replay {width} x {height}, so "
        f"gate (c) cannot be checked; {_cure(device, recorded_width, recorded_height)}."
    )


def _cure(device: str, width: int, height: int) -> str:
    if device == DESKTOP.name:
        return f"give the viewport {width}x{height}, or record the page again"
    return f"record the page with --device {device}"


def one_colour(screenshots: Iterable[bytes]) -> str | None:
    """Returns a sentence if every screenshot has a single colour, so the page shows nothing; else None."""
    if all(np.ptp(picture(screenshot), axis=(0, 1)).any() for screenshot in screenshots):
        return None
    return "The replayed page shows nothing: it has a single colour. Probably a request that it needs is missing."


def difference(screenshot: bytes, recorded: bytes, mask: Mask | None) -> bytes | None:
    """Returns a PNG of the faint recording, with differences in red and the mask in grey; None if sizes differ."""
    one, other = picture(screenshot), picture(recorded)
    if one.shape != other.shape:
        return None
    shown = (WHITE - (WHITE - other.astype(np.float64)) * FAINT).astype(np.uint8)
    shown[differing(one, other, THRESHOLD)] = RED
    shown[_masked(mask, one.shape[0], one.shape[1])] = GREY
    return png_of(shown)


def _masked(mask: Mask | None, height: int, width: int) -> NDArray[np.bool_]:
    if mask is None:
        return np.zeros((height, width), np.bool_)
    return pixels_of(mask.tiles, (height, width), mask.tile_px)
