"""Determines when a region that keeps moving has first appeared (M2): from then on it is frozen."""

from collections.abc import Iterable, Sequence

from eyelevel_core.model.mask import APPEARED_SHARE, LOADS, LOADS_NEEDED, LOW_LEAST_MS, LOW_SLACK, Region

# number of loads that may have a longer pause than allowed
ODD_LOADS = LOADS - LOADS_NEEDED
# (ms since navigation start, entropy of the region in bits from then on)
Series = Sequence[tuple[float, float]]


class Appearance:
    """The appearance of a region, updated in order of time; `low_ms` is the usual pause of its motion."""

    def __init__(self, *, least_bits: float, low_ms: float) -> None:
        self._least_bits = least_bits
        self._allowed_ms = max(LOW_LEAST_MS, low_ms * LOW_SLACK)
        self._since_ms: float | None = None
        self._low_since_ms: float | None = None

    @classmethod
    def of(cls, region: Region) -> "Appearance":
        """Returns the appearance for a region of a mask."""
        return cls(least_bits=APPEARED_SHARE * region.entropy_bits, low_ms=region.low_ms)

    def show(self, ms: float, bits: float) -> None:
        """Updates the region: it has this entropy from `ms` on."""
        self._since_ms = self.since_ms(ms)
        if bits < self._least_bits:
            self._low_since_ms = ms if self._low_since_ms is None else self._low_since_ms
            return
        self._low_since_ms = None
        if self._since_ms is None:
            self._since_ms = ms

    def since_ms(self, now_ms: float) -> float | None:
        """Returns since when it has been visible, as known at `now_ms`; None if it has not appeared."""
        low_ms = 0.0 if self._low_since_ms is None else now_ms - self._low_since_ms
        return None if low_ms > self._allowed_ms else self._since_ms


def appeared_ms(series: Series, region: Region, *, end_ms: float) -> float | None:
    """Returns the time from which the region stays visible; None if it does not appear before the film's end.

    `series` begins with its first change after navigation start, because the screen shows no page before.
    """
    shown = Appearance.of(region)
    for ms, bits in series:
        shown.show(ms, bits)
    return shown.since_ms(end_ms)


def median_bits(loads: Iterable[Series], *, ends_ms: Sequence[float]) -> float:
    """Returns the median of the entropy over the time of all series, each of which lasts until its end."""
    spans = sorted(
        (bits, until - ms)
        for series, end_ms in zip(loads, ends_ms, strict=True)
        for (ms, bits), until in zip(series, [*(ms for ms, _ in series[1:]), end_ms], strict=True)
    )
    half, passed = sum(span for _, span in spans) / 2, 0.0
    for bits, span in spans:
        passed += span
        if passed >= half:
            return bits
    return 0.0


def longest_low_ms(series: Series, *, least_bits: float, end_ms: float) -> float:
    """Returns the longest continuous time with an entropy below `least_bits`."""
    longest, since = 0.0, None
    for ms, bits in [*series, (end_ms, least_bits)]:
        if bits < least_bits:
            since = ms if since is None else since
        elif since is not None:
            longest, since = max(longest, ms - since), None
    return longest


def usual_low_ms(loads: Iterable[Series], *, least_bits: float, ends_ms: Sequence[float]) -> float:
    """Returns the longest pause that at least two loads had (or one, of few loads), so that an odd load is ignored."""
    longest = sorted(
        longest_low_ms(series, least_bits=least_bits, end_ms=end_ms)
        for series, end_ms in zip(loads, ends_ms, strict=True)
    )
    return longest[max(0, len(longest) - 1 - ODD_LOADS)]
