"""When a region that moves for ever has first appeared (M2): from then on it is frozen."""

from collections.abc import Iterable, Sequence

from eyelevel_core.model.mask import APPEARED_SHARE, LOADS, LOADS_NEEDED, LOW_LEAST_MS, LOW_SLACK, Region

# that may have a longer pause than a region is allowed
ODD_LOADS = LOADS - LOADS_NEEDED
# (ms since navigation start, entropy in bits that the region has from then on)
Series = Sequence[tuple[float, float]]


class Appearance:
    """A region as it is shown, in the order of time; `low_ms` is a pause that its motion makes by itself."""

    def __init__(self, *, least_bits: float, low_ms: float) -> None:
        self._least_bits = least_bits
        self._allowed_ms = max(LOW_LEAST_MS, low_ms * LOW_SLACK)
        self._since_ms: float | None = None
        self._low_since_ms: float | None = None

    @classmethod
    def of(cls, region: Region) -> "Appearance":
        return cls(least_bits=APPEARED_SHARE * region.entropy_bits, low_ms=region.low_ms)

    def show(self, ms: float, bits: float) -> None:
        """From `ms` on the region has this entropy."""
        self._since_ms = self.since_ms(ms)
        if bits < self._least_bits:
            self._low_since_ms = ms if self._low_since_ms is None else self._low_since_ms
            return
        self._low_since_ms = None
        if self._since_ms is None:
            self._since_ms = ms

    def since_ms(self, now_ms: float) -> float | None:
        """From when on it has stayed, as far as is known at `now_ms`; None where it has not appeared."""
        low_ms = 0.0 if self._low_since_ms is None else now_ms - self._low_since_ms
        return None if low_ms > self._allowed_ms else self._since_ms


def appeared_ms(series: Series, region: Region, *, end_ms: float) -> float | None:
    """The first time from which the region stays; None: it never appears before the film's end.

    `series` begins with its first change after navigation start: what was on the screen before is not the page.
    """
    shown = Appearance.of(region)
    for ms, bits in series:
        shown.show(ms, bits)
    return shown.since_ms(end_ms)


def median_bits(loads: Iterable[Series], *, ends_ms: Sequence[float]) -> float:
    """The median of the entropy over the time of all series, each of which lasts to its end."""
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
    """The longest time without a break for which the entropy was below `least_bits`."""
    longest, since = 0.0, None
    for ms, bits in [*series, (end_ms, least_bits)]:
        if bits < least_bits:
            since = ms if since is None else since
        elif since is not None:
            longest, since = max(longest, ms - since), None
    return longest


def usual_low_ms(loads: Iterable[Series], *, least_bits: float, ends_ms: Sequence[float]) -> float:
    """The longest pause that at least two of the loads had, or one of fewer: one odd load decides nothing."""
    longest = sorted(
        longest_low_ms(series, least_bits=least_bits, end_ms=end_ms)
        for series, end_ms in zip(loads, ends_ms, strict=True)
    )
    return longest[max(0, len(longest) - 1 - ODD_LOADS)]
