"""Decides from events and frames when a page has settled; reads no clock.

Settled: the load event has fired, then for 3 s (the campaign's `quiet_ms`) no page request was in flight and no frame
changed. A request is in flight from its start until it has ended or failed, no matter if it began before or after load:
replay answers every request at once, so a long poll takes no longer than its recorded answer. WebSockets, EventSources,
media, pings and reports have no visible end, and don't count; neither do data: and blob: URLs, which never leave the
browser, nor requests that by the probe paint nothing (docs/explanation/motion.md).

The result is the first moment at which that held. It does not depend on the time of the query, nor on later events:
events of requests and frames arrive late and separately, so they are applied in the order of their times, once the film
is known up to then.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import count

from eyelevel.motion.counting import Counting

# share of the quiet time that settles a page
NEARLY = 0.2

Parts = Sequence[tuple[int, float]]


@dataclass
class Settling:
    """Decides when a page has settled; times are in ms of a single clock, all frames until `known_ms` are reported."""

    quiet_ms: float
    # decides which changes count if the page has a motion mask; otherwise all do
    counting: Counting | None = None
    # frames don't count
    network_only: bool = False
    # times of frames whose changed parts are not known yet, and changed parts of frames whose times are not known yet
    _unjudged_ms: deque[float] = field(default_factory=deque)
    _judged: deque[Parts] = field(default_factory=deque)
    # (time, number, effect), to be applied in this order
    _coming: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: "count[int]" = field(default_factory=count)
    _began_ms: float | None = None
    _load_ms: float | None = None
    _in_flight: set[int] = field(default_factory=set)
    _last_ms: float = 0.0
    _settled_ms: float | None = None
    # the same by load and requests alone, with a shorter quiet time
    _network: "Settling | None" = None

    def __post_init__(self) -> None:
        if not self.network_only:
            self._network = Settling(NEARLY * self.quiet_ms, network_only=True)

    def document_began(self, ms: float) -> None:
        """Adds a new document in the main frame, whose load event is still to come."""
        self._began_ms = ms
        self._at(ms, partial(self._load, None))
        if self._network is not None:
            self._network.document_began(ms)

    def loaded(self, ms: float) -> None:
        """Adds the load event."""
        self._at(ms, partial(self._load, ms))
        if self._network is not None:
            self._network.loaded(ms)

    def request_began(self, key: int, ms: float) -> None:
        """Adds the start of a request."""
        self._at(ms, partial(self._in_flight.add, key))
        if self._network is not None:
            self._network.request_began(key, ms)

    def request_ended(self, key: int, ms: float) -> None:
        """Adds the end of a request."""
        self._at(ms, partial(self._end, key, ms))
        if self._network is not None:
            self._network.request_ended(key, ms)

    def frame_changed(self, ms: float) -> None:
        """Adds the time of a frame."""
        if self.network_only:
            return
        if self.counting is None:
            self._at(ms, partial(self._change, ms))
        else:
            self._unjudged_ms.append(ms)
            self._judge(self.counting)

    def frame_judged(self, parts: Parts) -> None:
        """Adds the changed parts of the next frame (see motion/counting.py), before or after its time."""
        if self.counting is not None and not self.network_only:
            self._judged.append(parts)
            self._judge(self.counting)

    def network_rests(self, known_ms: float) -> bool:
        """Returns whether load has fired, and no request was in flight for NEARLY of the quiet; ignores frames."""
        network = self._network or self
        return network.settled_at_ms(known_ms) is not None

    def has_new_document(self, now_ms: float) -> bool:
        """Returns whether the document is too new to have settled, as always in a page that keeps reloading."""
        return self._began_ms is not None and now_ms < self._began_ms + self.quiet_ms

    def nearly_settled(self, known_ms: float) -> bool:
        """Returns whether the page has settled, or has been quiet for NEARLY of the quiet."""
        if self.settled_at_ms(known_ms) is not None:
            return True
        until_ms = self._until_ms(known_ms)
        since_ms = self._quiet_since_ms(until_ms)
        return since_ms is not None and until_ms >= since_ms + NEARLY * self.quiet_ms

    def settled_at_ms(self, known_ms: float) -> float | None:
        """Returns the first moment at which the page had been quiet for `quiet_ms`; None if there is none yet."""
        until_ms = self._until_ms(known_ms)
        while self._coming and self._coming[0][0] <= until_ms:
            ms, _, apply = heappop(self._coming)
            self._look(ms)
            apply()
        self._look(until_ms)
        return self._settled_ms

    def _until_ms(self, known_ms: float) -> float:
        """The time until which it is known which changes count."""
        return min(known_ms, self._unjudged_ms[0]) if self._unjudged_ms else known_ms

    def _look(self, ms: float) -> None:
        """Determines whether the page settles by `ms`, if nothing else happens before."""
        since_ms = self._quiet_since_ms(self._last_ms)
        while self._settled_ms is None and since_ms is not None and since_ms + self.quiet_ms <= ms:
            # a region that is empty for too long has not appeared, so its changes count
            later_ms = self._quiet_since_ms(since_ms + self.quiet_ms)
            if later_ms == since_ms:
                self._settled_ms = since_ms + self.quiet_ms
            since_ms = later_ms

    def _quiet_since_ms(self, now_ms: float) -> float | None:
        """The time since which nothing has happened on the page; None before load, and while a request is in flight."""
        if self._load_ms is None or self._in_flight:
            return None
        counted_ms = 0.0 if self.counting is None else self.counting.last_ms(now_ms)
        return max(self._load_ms, self._last_ms, counted_ms)

    def _at(self, ms: float, apply: Callable[[], None]) -> None:
        heappush(self._coming, (ms, next(self._numbers), apply))

    def _load(self, ms: float | None) -> None:
        self._load_ms = ms

    def _end(self, key: int, ms: float) -> None:
        if key in self._in_flight:
            self._in_flight.discard(key)
            self._last_ms = max(self._last_ms, ms)

    def _change(self, ms: float) -> None:
        self._last_ms = max(self._last_ms, ms)

    def _judge(self, counting: Counting) -> None:
        while self._unjudged_ms and self._judged:
            ms, parts = self._unjudged_ms.popleft(), self._judged.popleft()
            self._at(ms, partial(counting.show, ms, parts))
