"""Determines which changes of a film count for settling (M3): those that are not frozen."""

from collections.abc import Iterable, Sequence

from eyelevel.motion.appearance import Appearance
from eyelevel_core.model.mask import Region

# a part of a frame: 0 is everything outside the regions, n + 1 is region n of the mask, from 0
OUTSIDE = 0


class Counting:
    """The changes of a film, added in order of time; times are in milliseconds of any single clock."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._outside_ms = 0.0
        self._changed_ms = [0.0] * len(regions)
        self._shown = [Appearance.of(region) for region in regions]

    def show(self, ms: float, parts: Iterable[tuple[int, float]]) -> None:
        """Adds a frame in which these parts changed, each with its entropy in bits, which is used for regions."""
        for part, bits in parts:
            if part == OUTSIDE:
                self._outside_ms = ms
            else:
                self._changed_ms[part - 1] = ms
                self._shown[part - 1].show(ms, bits)

    def last_ms(self, now_ms: float) -> float:
        """Returns the time of the last change that counts, as known at `now_ms`.

        For a region that has appeared, this is its appearance; otherwise its last change.
        """
        regions = [
            changed_ms if (since_ms := shown.since_ms(now_ms)) is None else since_ms
            for changed_ms, shown in zip(self._changed_ms, self._shown, strict=True)
        ]
        return max(self._outside_ms, *regions, 0.0)
