"""Decides from events and frames when a probe has watched a page for long enough; reads no clock.

The watch begins when the network is first quiet, and lasts `watched_ms`; later requests do not matter. With `rest_ms`,
it ends early when the screen has not changed for that long. A new document restarts the watch.
"""

from dataclasses import dataclass, field

from eyelevel.loads.inside.browsing.settle import Settling

# the next session may be prepared this long before the end
NEARLY_MS = 3_000.0


@dataclass
class Watch(Settling):
    """Decides when a watched page has ended; `quiet_ms` is for the network, frames count only for `rest_ms`."""

    network_only: bool = True
    watched_ms: float = 0.0
    rest_ms: float | None = None
    _frames_ms: list[float] = field(default_factory=list)

    def frame_changed(self, ms: float) -> None:
        self._frames_ms.append(ms)

    def network_rests(self, known_ms: float) -> bool:
        """Returns whether the network has been quiet; from then on, frames are reported."""
        return super().settled_at_ms(known_ms) is not None

    def nearly_settled(self, known_ms: float) -> bool:
        end_ms = self._end_ms(known_ms)
        return end_ms is not None and known_ms >= end_ms - NEARLY_MS

    def settled_at_ms(self, known_ms: float) -> float | None:
        """Returns when the watch ended, as far as is known; None while it lasts."""
        end_ms = self._end_ms(known_ms)
        return end_ms if end_ms is not None and end_ms <= known_ms else None

    def _end_ms(self, known_ms: float) -> float | None:
        """The end of the watch if nothing else changes; None before it begins."""
        quiet_ms = super().settled_at_ms(known_ms)
        if quiet_ms is None:
            return None
        end_ms = quiet_ms + self.watched_ms
        if self.rest_ms is None:
            return end_ms
        still_since_ms = quiet_ms
        for ms in self._frames_ms:
            if ms > still_since_ms + self.rest_ms:
                break
            still_since_ms = max(still_since_ms, ms)
        return min(end_ms, still_since_ms + self.rest_ms)

    def _load(self, ms: float | None) -> None:
        super()._load(ms)
        if ms is None:
            self._settled_ms = None
