"""Which changes of a film count for whether its page has settled (M3): those that are not frozen."""

from collections.abc import Iterable, Sequence

from eyelevel.motion.appearance import Appearance
from eyelevel_core.model.mask import Region

# a part of a frame: 0 is all outside the regions, region n of the mask, from 0, is n + 1
OUTSIDE = 0


class Counting:
    """A film as it is told, in the order of time; times in milliseconds of any one clock."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._outside_ms = 0.0
        self._changed_ms = [0.0] * len(regions)
        self._shown = [Appearance.of(region) for region in regions]

    def show(self, ms: float, parts: Iterable[tuple[int, float]]) -> None:
        """A frame in which these parts changed; with each its entropy in bits, which counts for regions."""
        for part, bits in parts:
            if part == OUTSIDE:
                self._outside_ms = ms
            else:
                self._changed_ms[part - 1] = ms
                self._shown[part - 1].show(ms, bits)

    def last_ms(self, now_ms: float) -> float:
        """The last change that counts, as far as is known at `now_ms`.

        Of a region that has appeared, its appearance; of one that has not, whatever changed in it.
        """
        regions = [
            changed_ms if (since_ms := shown.since_ms(now_ms)) is None else since_ms
            for changed_ms, shown in zip(self._changed_ms, self._shown, strict=True)
        ]
        return max(self._outside_ms, *regions, 0.0)
