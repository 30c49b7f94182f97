"""A logarithmic scale for metrics with a large range, on which a linear scale would compress the fast clips."""

from dataclasses import dataclass
from math import ceil, floor, log10

from eyelevel_figures.canvas import Scale

# a range over more than this factor is drawn on a logarithmic axis
LOG_FROM = 4.0


@dataclass(frozen=True)
class LogScale(Scale):
    """A logarithmic mapping of positive values to pixels."""

    def __call__(self, value: float) -> float:
        share = log10(value / self.low) / log10(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Returns 1, 2 and 5 of each power of ten inside the range; more if these are fewer than three."""
        some = self._at((1, 2, 5))
        return some if len(some) >= 3 else self._at((1, 1.5, 2, 3, 4, 5, 6, 8))

    def _at(self, steps: tuple[float, ...]) -> list[float]:
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        ticks = [round(step * 10.0**power, 9) for power in powers for step in steps]
        return [tick for tick in ticks if self.low <= tick <= self.high]


def scale_of(values: list[float], start: float, end: float) -> Scale:
    """Returns a scale from 0; logarithmic if the largest value is over four times the smallest, which is above 0."""
    low, high = min(values), max(values)
    if low > 0 and high / low > LOG_FROM:
        return LogScale(low * 0.9, high * 1.1, start, end)
    room = (high or 1.0) * 0.04
    return Scale(0 if low >= 0 else low - room, (high or 1.0) + room, start, end)
