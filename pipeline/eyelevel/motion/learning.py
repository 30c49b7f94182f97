"""Learns the motion mask of a page from its probe loads (M1 to M3)."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eyelevel.motion.appearance import Series, appeared_ms, median_bits, usual_low_ms
from eyelevel.motion.regions import Area, area
from eyelevel.motion.requests import Request, not_painting
from eyelevel.motion.tiles import Change, Tiles, as_set, changes, moving
from eyelevel.video import Frame
from eyelevel_core.model.device import DESKTOP, Viewport
from eyelevel_core.model.mask import (
    ANIMATED_SHARE,
    APPEARED_SHARE,
    LOADS_NEEDED,
    QUIET_MS,
    RULES,
    SAME_WITHIN_MS,
    THRESHOLD,
    TILE_PX,
    Mask,
    ProbeLoad,
    Region,
    Tile,
    TimedChange,
    box_of,
    connected,
    dilated,
    drawn,
    grid,
)

# films that are evaluated at a time; most of that is the work of numpy and the decoder
SIDE_BY_SIDE = 2
# limit of listed timed changes
MOST_TIMED = 50

Frames = Callable[[], Iterator[tuple[float, Frame]]]


@dataclass(frozen=True)
class Load:
    """A probe load: its film can be read repeatedly, `requests` are those that could paint.

    `facts` are known without the film; their `moving_tiles` are counted here. The film is evaluated when its changes
    are first needed.
    """

    facts: ProbeLoad
    frames: Frames
    requests: Sequence[Request]

    @cached_property
    def changes(self) -> Sequence[Change]:
        """Returns the changes since navigation start."""
        return [(ms, tiles) for ms, tiles in changes(self.frames()) if ms > 0]

    @cached_property
    def moved(self) -> frozenset[Tile]:
        """Returns the tiles that keep moving."""
        return moving(self.changes, from_ms=self.facts.watched_from_ms, end_ms=self.facts.end_ms)


def learn(
    recording: str,
    viewport: Viewport,
    loads: Sequence[Load],
    *,
    start_url: str,
    start_url_given: bool = False,
    device: str = DESKTOP.name,
) -> Mask:
    """Returns the mask of a recording, for films of its page with this size on this device."""
    size = grid(viewport)
    changed, moved = [load.changes for load in loads], [load.moved for load in loads]
    masked = dilated(in_most(moved), size)
    groups = connected(masked)
    areas = [area(tiles, viewport, TILE_PX) for tiles in groups]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as looking:
        series = list(looking.map(lambda load: _entropies(load, areas), loads))
    regions = [
        _region(tiles, viewport, loads, [of_load[number] for of_load in series]) for number, tiles in enumerate(groups)
    ]
    outside = [_outside(of_load, masked) for of_load in changed]
    loading = [
        sorted([*(ms for ms, _ in of_load), *_appearing(load, regions, shown)])
        for of_load, load, shown in zip(outside, loads, series, strict=True)
    ]
    still = not_painting([load.requests for load in loads], loading)
    share = len(masked) / (size[0] * size[1])
    return Mask(
        recording=recording,
        start_url=start_url,
        start_url_given=start_url_given,
        viewport=viewport,
        tile_px=TILE_PX,
        threshold=THRESHOLD,
        rules=RULES,
        loads=tuple(replace(load.facts, moving_tiles=len(tiles)) for load, tiles in zip(loads, moved, strict=True)),
        rows=drawn(masked, size),
        regions=tuple(regions),
        not_painting=still,
        timed=timed(loads, outside, frozenset(request.key for request in still), viewport),
        masked_share=round(share, 6),
        animated=share > ANIMATED_SHARE,
        device=device,
    )


def in_most(moved: Sequence[frozenset[Tile]]) -> frozenset[Tile]:
    """Returns the tiles that move in LOADS_NEEDED of the loads."""
    tiles = frozenset[Tile]().union(*moved)
    return frozenset(tile for tile in tiles if sum(tile in of_load for of_load in moved) >= LOADS_NEEDED)


def _entropies(load: Load, regions: Sequence[Area]) -> list[Series]:
    """The entropy of each region, with every change."""
    series: list[list[tuple[float, float]]] = [[] for _ in regions]
    last: list[Frame | None] = [None] * len(regions)
    for ms, frame in load.frames() if regions else ():
        for number, region in enumerate(regions):
            box = region.cut(frame)
            before = last[number]
            if before is not None and not (before != box).any(axis=2)[region.inside].any():
                continue
            last[number] = box.copy()
            series[number].append((ms, region.luminance_entropy(box)))
    return list(series)


def _watched(series: Series, from_ms: float) -> Series:
    """The part of the series while the load was watched, which begins with the region's entropy then."""
    before = [bits for ms, bits in series if ms <= from_ms]
    return [*((from_ms, bits) for bits in before[-1:]), *((ms, bits) for ms, bits in series if ms > from_ms)]


def _region(tiles: frozenset[Tile], viewport: Viewport, loads: Sequence[Load], series: Sequence[Series]) -> Region:
    ends_ms = [load.facts.end_ms for load in loads]
    watched = [_watched(of_load, load.facts.watched_from_ms) for of_load, load in zip(series, loads, strict=True)]
    bits = median_bits(watched, ends_ms=ends_ms)
    low_ms = usual_low_ms(watched, least_bits=APPEARED_SHARE * bits, ends_ms=ends_ms)
    return Region(len(tiles), box_of(tiles, viewport), round(bits, 6), round(low_ms, 3))


def _appearing(load: Load, regions: Sequence[Region], series: Sequence[Series]) -> list[float]:
    """When regions changed until they appeared: this is loading (M2), so requests that paint it are waited for."""
    times_ms = []
    for region, of_region in zip(regions, series, strict=True):
        page = [(ms, bits) for ms, bits in of_region if ms > 0]
        since_ms = appeared_ms(page, region, end_ms=load.facts.end_ms)
        times_ms += [ms for ms, _ in page if since_ms is None or ms <= since_ms]
    return times_ms


def _outside(changed: Sequence[Change], masked: frozenset[Tile]) -> list[Change]:
    """The changes of tiles that are not masked."""
    left = []
    for ms, tiles in changed:
        unmasked = tiles.copy()
        for x, y in masked:
            unmasked[y, x] = False
        if unmasked.any():
            left.append((ms, unmasked))
    return left


def settled_ms(load_ms: float | None, changes_ms: Sequence[float], requests: Sequence[Request]) -> float | None:
    """Returns when a load of the probe settled, with the `requests` that paint; None without a load event."""
    return None if load_ms is None else quiet_at_ms(load_ms, changes_ms, requests, quiet_ms=QUIET_MS)


def quiet_at_ms(load_ms: float, changes_ms: Sequence[float], requests: Sequence[Request], *, quiet_ms: float) -> float:
    """Returns when, after load, nothing had changed or been in flight for `quiet_ms`.

    Requests that did not end are ignored: the probe waited until nothing was in flight, or until its limit.
    """
    in_flight = [
        (request.begun_ms, request.begun_ms if request.ended_ms is None else request.ended_ms) for request in requests
    ]
    busy = sorted([*((ms, ms) for ms in changes_ms), *in_flight])
    quiet_from_ms = load_ms
    for begun_ms, ended_ms in busy:
        if begun_ms > quiet_from_ms + quiet_ms:
            break
        quiet_from_ms = max(quiet_from_ms, ended_ms)
    return quiet_from_ms + quiet_ms


def timed(
    loads: Sequence[Load], outside: Sequence[Sequence[Change]], unseen: frozenset[str], viewport: Viewport
) -> tuple[TimedChange, ...]:
    """Returns changes outside the mask after a load had settled, the earliest first."""
    later: list[tuple[float, Tiles, int]] = []
    for number, (load, of_load) in enumerate(zip(loads, outside, strict=True)):
        load_ms = load.facts.load_ms
        painting = [request for request in load.requests if request.key not in unseen]
        end_ms = settled_ms(load_ms, [ms for ms, _ in of_load], painting)
        if load_ms is None or end_ms is None:
            continue
        mine: list[tuple[float, Tiles]] = []
        for ms, tiles in of_load:
            if ms <= end_ms:
                continue
            if mine and ms - load_ms - mine[-1][0] <= SAME_WITHIN_MS and (mine[-1][1] & tiles).any():
                mine[-1] = (mine[-1][0], mine[-1][1] | tiles)
            else:
                mine.append((ms - load_ms, tiles))
        later += [(after_ms, tiles, number) for after_ms, tiles in mine]
    groups: list[tuple[float, Tiles, set[int]]] = []
    for after_ms, tiles, number in sorted(later, key=lambda change: change[0]):
        for place, (first_ms, seen_tiles, own_loads) in enumerate(groups):
            if after_ms - first_ms <= SAME_WITHIN_MS and (seen_tiles & tiles).any():
                groups[place] = (first_ms, seen_tiles | tiles, own_loads | {number})
                break
        else:
            groups.append((after_ms, tiles, {number}))
    return tuple(
        TimedChange(round(after_ms, 3), box_of(as_set(np.asarray(tiles)), viewport), len(own_loads))
        for after_ms, tiles, own_loads in groups[:MOST_TIMED]
    )
