"""Checks a take against its motion mask: regions that appeared, and tiles that moved outside the mask."""

from contextlib import closing
from pathlib import Path

from eyelevel.loads.inside.observed import Observed
from eyelevel.motion.tiles import changes, moving
from eyelevel.video import decode, inspect
from eyelevel_core.batch_folder.takes import FRAMES, read_times_ms
from eyelevel_core.model.film import Progress
from eyelevel_core.model.mask import WATCHED_MS, Mask, Tile
from eyelevel_core.model.take import Motion

FILM = "film.mkv"


def motion_of(folder: Path, mask: Mask, seen: Observed, measured: Progress) -> Motion:
    """Returns the times at which regions appeared, missing regions, and tiles that moved outside the mask."""
    appeared_ms = (None,) * len(mask.regions) if measured.appeared_ms is None else measured.appeared_ms
    return Motion(
        animated=mask.animated,
        timed=bool(mask.timed),
        appeared_ms=appeared_ms,
        region_missing=tuple(number for number, ms in enumerate(appeared_ms) if ms is None),
        outside=tuple(sorted(_outside(folder, mask, seen))),
    )


def _outside(folder: Path, mask: Mask, seen: Observed) -> frozenset[Tile]:
    """The tiles that moved in the last 30 s after load; empty if the page settled or did not load."""
    if seen.settled_ms is not None or seen.load_ms is None:
        return frozenset()
    times_ms, end_ms = read_times_ms(folder / FRAMES), float(seen.end_ms)
    with closing(decode(inspect(folder / FILM))) as frames:
        changed = changes(zip(times_ms, frames, strict=True), threshold=mask.threshold, tile_px=mask.tile_px)
        return moving(changed, from_ms=max(seen.load_ms, end_ms - WATCHED_MS), end_ms=end_ms) - mask.tiles
