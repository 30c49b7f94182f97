"""A motion mask: the tiles of a recording's page that never stop changing, learned from probe loads. Contract mask.1.

Rules: docs/explanation/motion.md. Every mask contains the constants of its rules, so that its digest depends on them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.device import DESKTOP, Viewport
from eyelevel_core.model.record import Record, left_out_at_default

# a tile, as (column, row)
Tile = tuple[int, int]

TILE_PX = 16
# a pixel differs where a channel does by more than this, of 255
THRESHOLD = 8
# probe loads of a recording and viewport; a tile is masked that moves in so many of them
LOADS, LOADS_NEEDED = 5, 4
# the network is quiet once nothing has been in flight for so long, as Lighthouse and Puppeteer (networkidle0) take it;
# of a page that polls, which is never quiet, the last part before the limit is watched
NETWORK_QUIET_MS, LIMIT_MS = 500.0, 90_000.0
# of a page watched for so long after its network is quiet, a tile moves that changes so often, from first to last for
# so long, and has not ended: since its last change no more has passed than END_MS, and than END_GAPS times the longest
# time between two of its changes (or END_LEAST_MS, where these follow quickly)
WATCHED_MS, CHANGES_NEEDED, SPAN_MS = 30_000.0, 3, 10_000.0
END_MS, END_GAPS, END_LEAST_MS = 10_000.0, 1.5, 1_000.0
DILATION_TILES = 1
# above this share of masked tiles the page itself is an animation
ANIMATED_SHARE = 0.25
# a region has appeared where its luminance entropy is at least this share of its median in the probe
APPEARED_SHARE = 0.5
# how long it may be below that and still count as appeared: so many times as long as in the probe, which sees a few of
# its cycles, and at least for a blink of an eye
LOW_SLACK, LOW_LEAST_MS = 1.5, 100.0
# a request paints if something changes within so long after its end
PAINTS_WITHIN_MS = 500.0
# a key is asked regularly if asked so often, over at least so long, at intervals whose coefficient of variation is
# below this; three pictures of one path that are asked for at once are no poll
ASKED_NEEDED, ASKED_OVER_MS, MOST_VARIATION = 3, 3_000.0, 0.3
# of a page without requests and changes, after which a load of the probe has settled: by default a campaign's
QUIET_MS = 3_000.0
# timed changes of two loads are one if they overlap and come so near to each other
SAME_WITHIN_MS = 1_000.0
# everything that determines the content of a mask, or how it is applied
RULES: Mapping[str, float] = {
    "loads": LOADS,
    "loads_needed": LOADS_NEEDED,
    "network_quiet_ms": NETWORK_QUIET_MS,
    "limit_ms": LIMIT_MS,
    "watched_ms": WATCHED_MS,
    "changes_needed": CHANGES_NEEDED,
    "span_ms": SPAN_MS,
    "end_ms": END_MS,
    "end_gaps": END_GAPS,
    "end_least_ms": END_LEAST_MS,
    "dilation_tiles": DILATION_TILES,
    "animated_share": ANIMATED_SHARE,
    "appeared_share": APPEARED_SHARE,
    "low_slack": LOW_SLACK,
    "low_least_ms": LOW_LEAST_MS,
    "paints_within_ms": PAINTS_WITHIN_MS,
    "asked_needed": ASKED_NEEDED,
    "asked_over_ms": ASKED_OVER_MS,
    "most_variation": MOST_VARIATION,
    "quiet_ms": QUIET_MS,
    "same_within_ms": SAME_WITHIN_MS,
}
MASKED, FREE = "#", "."


@dataclass(frozen=True)
class ProbeLoad(Record):
    """One load of the probe; times in ms since navigation start. `watched_from_ms` is when its network was quiet."""

    stack: str
    page_seed: int
    load_ms: float | None
    watched_from_ms: float
    end_ms: float
    moving_tiles: int


@dataclass(frozen=True)
class Region(Record):
    """8-connected masked tiles. `box` is left, top, width and height in pixels.

    `entropy_bits` is the median of its luminance entropy while the probe watched; `low_ms` the longest time for which
    it was below half of that in at least two loads, as a carousel that fades through white is at each slide.
    """

    tiles: int
    box: tuple[int, ...]
    entropy_bits: float
    low_ms: float


@dataclass(frozen=True)
class NotPainting(Record):
    """Requests whose end a viewer cannot see. `key` is host and path; `why` is `regular` or `paints nothing`."""

    key: str
    why: str


@dataclass(frozen=True)
class TimedChange(Record):
    """A change outside the mask that came after a probe load had settled, by a timer of the page.

    `after_load_ms` is the earliest of the loads in which it was seen; `box` as of a region.
    """

    after_load_ms: float
    box: tuple[int, ...]
    loads: int


@dataclass(frozen=True)
class Mask(Record):
    """A motion mask. `rows` draws the tiles, a text per row: `#` is masked, `.` is not.

    `start_url_given`: the page was named, by a campaign or by --start-url; else it is the recording's own. `viewport`
    is the film's size, `device` the name of a device profile.
    """

    CONTRACT: ClassVar[str] = "eyelevel/mask/1"

    recording: str
    start_url: str
    start_url_given: bool
    viewport: Viewport
    tile_px: int
    threshold: int
    rules: Mapping[str, float]
    loads: tuple[ProbeLoad, ...]
    rows: tuple[str, ...]
    regions: tuple[Region, ...]
    not_painting: tuple[NotPainting, ...]
    timed: tuple[TimedChange, ...]
    masked_share: float
    animated: bool
    device: str = left_out_at_default(DESKTOP.name)

    @property
    def digest(self) -> str:
        """The identity of the mask: the SHA-256 of the file's canonical JSON."""
        return sha256_of_json(self.as_json())

    @property
    def tiles(self) -> frozenset[Tile]:
        return frozenset((x, y) for y, row in enumerate(self.rows) for x, sign in enumerate(row) if sign == MASKED)

    @property
    def still(self) -> bool:
        """Whether the page has no motion that never ends."""
        return not self.regions


def grid(viewport: Viewport, tile_px: int = TILE_PX) -> tuple[int, int]:
    """Returns the numbers of columns and rows of tiles; those at the right and lower edge may be smaller."""
    return -(-viewport.width_px // tile_px), -(-viewport.height_px // tile_px)


def drawn(tiles: frozenset[Tile], size: tuple[int, int]) -> tuple[str, ...]:
    """Returns the tiles in the form of `Mask.rows`."""
    columns, rows = size
    return tuple("".join(MASKED if (x, y) in tiles else FREE for x in range(columns)) for y in range(rows))


def dilated(tiles: frozenset[Tile], size: tuple[int, int], by: int = DILATION_TILES) -> frozenset[Tile]:
    """Returns the tiles and all within `by` tiles of one of them."""
    columns, rows = size
    steps = range(-by, by + 1)
    grown = {(x + dx, y + dy) for x, y in tiles for dx, dy in product(steps, steps)}
    return frozenset((x, y) for x, y in grown if 0 <= x < columns and 0 <= y < rows)


def connected(tiles: frozenset[Tile]) -> list[frozenset[Tile]]:
    """Returns the 8-connected groups, in the order of their first tile: the uppermost, then the leftmost."""
    left, groups = set(tiles), []
    for first in sorted(tiles, key=lambda tile: (tile[1], tile[0])):
        if first not in left:
            continue
        group, waiting = {first}, [first]
        left.discard(first)
        while waiting:
            x, y = waiting.pop()
            near = {(x + dx, y + dy) for dx, dy in product((-1, 0, 1), (-1, 0, 1))} & left
            left -= near
            group |= near
            waiting += near
        groups.append(frozenset(group))
    return groups


def box_of(tiles: frozenset[Tile], viewport: Viewport, tile_px: int = TILE_PX) -> tuple[int, int, int, int]:
    """Returns left, top, width and height in pixels of the smallest rectangle that contains these tiles."""
    left, top = min(x for x, _ in tiles) * tile_px, min(y for _, y in tiles) * tile_px
    right = min((max(x for x, _ in tiles) + 1) * tile_px, viewport.width_px)
    bottom = min((max(y for _, y in tiles) + 1) * tile_px, viewport.height_px)
    return left, top, right - left, bottom - top


def contradictions(mask: Mask) -> Sequence[str]:
    """Returns contradictions that a schema cannot express, as ends of a sentence that begins with the file's name."""
    columns, rows = grid(mask.viewport, mask.tile_px)
    if len(mask.rows) != rows or any(len(row) != columns for row in mask.rows):
        return [f"`rows` must be {rows} texts of {columns} signs, as the viewport and `tile_px` make of it"]
    drawn_regions = connected(mask.tiles)
    if len(drawn_regions) != len(mask.regions):
        return [f"`rows` draws {len(drawn_regions)} regions, but `regions` lists {len(mask.regions)}"]
    for number, (tiles, region) in enumerate(zip(drawn_regions, mask.regions, strict=True)):
        box = box_of(tiles, mask.viewport, mask.tile_px)
        if (region.tiles, region.box) != (len(tiles), box):
            return [
                f"`rows` draws region {number} with {len(tiles)} tiles in the box {list(box)}, but `regions` gives it "
                f"{region.tiles} in {list(region.box)}"
            ]
    return []
