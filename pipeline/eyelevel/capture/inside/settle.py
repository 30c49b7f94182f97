"""Decides from events and frames when a page has settled; reads no clock.

Settled: the load event has fired, then for 3 s (the campaign's `quiet_ms`) no page request was in flight and no frame
changed. A request is in
flight from its start until it has ended or failed, whether it began before or after load: replay answers every request
at once, so a long poll cannot hang here longer than its recorded answer takes. WebSockets, EventSources, media, pings
and reports have no end that a viewer could see, and don't count; neither do data: and blob: URLs, which never leave the
browser, nor requests that the probe has learned to paint nothing (docs/motion.md).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from eyelevel.motion.counting import Counting

ENDLESS = frozenset({"websocket", "eventsource", "media", "ping", "cspviolationreport", "preflight"})

# of the quiet that settles a page
NEARLY = 0.2


def counts(resource_type: str, url: str) -> bool:
    """Whether a request is the page's and has an end to wait for."""
    return resource_type not in ENDLESS and url.startswith(("http:", "https:"))


@dataclass
class Settling:
    """All times are in one clock, in milliseconds; `now_ms` of `settled_at_ms` is until when the film has been told.

    That is the present, so that the film surely covers the quiet that ends it.
    """

    quiet_ms: float
    # which changes count, where the page has a motion mask; else all do
    counting: Counting | None = None
    # times of frames of which is not known yet what changed, and what changed in frames whose times are not known yet
    unjudged_ms: deque[float] = field(default_factory=deque)
    judged: deque[Sequence[tuple[int, float]]] = field(default_factory=deque)
    # frames don't count: a probe watches what changes when the network is quiet
    network_only: bool = False
    load_ms: float | None = None
    in_flight: set[int] = field(default_factory=set)
    last_traffic_ms: float = 0.0
    last_change_ms: float = 0.0

    def document_began(self) -> None:
        """A new document in the main frame: its load event is still to come."""
        self.load_ms = None

    def loaded(self, now_ms: float) -> None:
        self.load_ms = now_ms

    def request_began(self, key: int) -> None:
        self.in_flight.add(key)

    def request_ended(self, key: int, now_ms: float) -> None:
        if key in self.in_flight:
            self.in_flight.discard(key)
            self.last_traffic_ms = max(self.last_traffic_ms, now_ms)

    def frame_changed(self, time_ms: float) -> None:
        if self.network_only:
            return
        if self.counting is not None:
            self.unjudged_ms.append(time_ms)
            self._count()
            return
        self.last_change_ms = max(self.last_change_ms, time_ms)

    def frame_judged(self, parts: Sequence[tuple[int, float]]) -> None:
        """The next frame changed in these parts (see motion/counting.py); its time may be told before or after."""
        self.judged.append(parts)
        self._count()

    def _count(self) -> None:
        while self.counting is not None and self.unjudged_ms and self.judged:
            self.counting.show(self.unjudged_ms.popleft(), self.judged.popleft())

    def quiet_since_ms(self, now_ms: float) -> float | None:
        """Since when nothing has happened on the page; None before load, and while a request is in flight."""
        if self.load_ms is None or self.in_flight:
            return None
        changed_ms = self.last_change_ms if self.counting is None else self.counting.last_ms(now_ms)
        return max(self.load_ms, self.last_traffic_ms, changed_ms)

    def known_until_ms(self, now_ms: float) -> float:
        """Until when it is known which changes count."""
        return min(now_ms, self.unjudged_ms[0]) if self.unjudged_ms else now_ms

    def nearly_settled(self, now_ms: float) -> bool:
        """Whether the page has been quiet for so long that hardly anything is to be expected any more."""
        until_ms = self.known_until_ms(now_ms)
        since_ms = self.quiet_since_ms(until_ms)
        return since_ms is not None and until_ms >= since_ms + NEARLY * self.quiet_ms

    def settled_at_ms(self, now_ms: float) -> float | None:
        """The moment at which the page had been quiet for `quiet_ms`; None while it has not."""
        until_ms = self.known_until_ms(now_ms)
        since_ms = self.quiet_since_ms(until_ms)
        return None if since_ms is None or until_ms < since_ms + self.quiet_ms else since_ms + self.quiet_ms
