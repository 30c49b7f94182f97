"""A replay check: what loads of a recording over a network without limits missed, and which of it is visible.

Contract replay-check.1. `eyelevel capture` makes one per site before the first run; its loads are not runs.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.device import DESKTOP, Viewport
from eyelevel_core.model.record import Record, left_out_at_default


class Kind(StrEnum):
    """The purpose of a request."""

    DOCUMENT = "document"
    FRAME = "frame"
    STYLE_SHEET = "style sheet"
    SCRIPT = "script"
    FONT = "font"
    IMAGE = "image"
    MEDIA = "media"
    DATA = "data"
    BEACON = "beacon"
    OTHER = "other"


class Match(StrEnum):
    """The kind of answer to a request. FAILED: the browser got none, over a network without loss, or refused it."""

    EXACT = "exact"
    EQUIVALENT = "equivalent"
    INEXACT = "inexact"
    MISSED = "missed"
    FAILED = "failed"


@dataclass(frozen=True)
class CheckedRequest(Record):
    """A request that was not answered exactly.

    `needed`: without it the page differs from the recorded one (gate a). `boxes` are the parts of the viewport where
    its elements paint, or the parts that a missing style sheet or frame changes, if a picture shows them; each left,
    top, width and height in pixels. None where no element is known to show it.
    """

    url: str
    method: str
    kind: Kind
    match: Match
    needed: bool
    boxes: tuple[tuple[float, ...], ...] | None
    matched_url: str | None
    status: int | None
    failure: str | None


@dataclass(frozen=True)
class CheckedLoad(Record):
    """One load; counts are over all requests of the page until it settled.

    `needed` are the URLs of documents, visible frames, style sheets and blocking scripts, however they were answered;
    `requests` are those not answered exactly. `median_image_px` is the median area of the page's images, in square
    pixels; None where it shows none. `similarity` is the SSIM of the settled page and the recorded screenshot outside
    the motion mask; None without a screenshot.
    """

    stack: str
    load_ms: float | None
    exact: int
    equivalent: int
    inexact: int
    missed: int
    failed: int
    median_image_px: float | None
    similarity: float | None
    needed: tuple[str, ...]
    requests: tuple[CheckedRequest, ...]


@dataclass(frozen=True)
class ReplayCheck(Record):
    """A replay check; `volatile_sha256` and `mask_digest` name the files used for it, None without such a file.

    `failure` is why the page could not be checked, as the end of a sentence; such a page is excluded and has no loads.
    """

    CONTRACT: ClassVar[str] = "eyelevel/replay-check/1"

    recording: str
    start_url: str | None
    viewport: Viewport
    page_seed: int
    volatile_sha256: str | None
    mask_digest: str | None
    loads: tuple[CheckedLoad, ...]
    failure: str | None = left_out_at_default(None)
    device: str = left_out_at_default(DESKTOP.name)

    @property
    def digest(self) -> str:
        """The identity of the check: the SHA-256 of the file's canonical JSON."""
        return sha256_of_json(self.as_json())
