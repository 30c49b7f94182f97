"""Decides from events and frames when a page has settled; reads no clock.

Settled: the load event has fired, then for 3 s (the campaign's `quiet_ms`) no page request was in flight and no frame
changed. A request is in flight from its start until it has ended or failed, whether it began before or after load:
replay answers every request at once, so a long poll cannot hang here longer than its recorded answer takes. WebSockets,
EventSources, media, pings and reports have no end that a viewer could see, and don't count; neither do data: and blob:
URLs, which never leave the browser, nor requests that the probe has learned to paint nothing
(docs/explanation/motion.md).

The moment is the first one at which that held. It does not depend on when it is asked for, nor on what comes later:
events of requests and frames arrive late, and each source by itself, so they are applied in the order of their times,
once the film is known until then.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import count

from eyelevel.motion.counting import Counting

# of the quiet that settles a page
NEARLY = 0.2

Parts = Sequence[tuple[int, float]]


@dataclass
class Settling:
    """All times are in one clock, in milliseconds; `known_ms` is until when all frames have been reported."""

    quiet_ms: float
    # which changes count, where the page has a motion mask; else all do
    counting: Counting | None = None
    # frames don't count: a probe watches what changes when the network is quiet
    network_only: bool = False
    # times of frames of which is not known yet what changed, and what changed in frames whose times are not known yet
    _unjudged_ms: deque[float] = field(default_factory=deque)
    _judged: deque[Parts] = field(default_factory=deque)
    # (time, number, what it changes), to be applied in this order
    _coming: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: "count[int]" = field(default_factory=count)
    _began_ms: float | None = None
    _load_ms: float | None = None
    _in_flight: set[int] = field(default_factory=set)
    _last_ms: float = 0.0
    _settled_ms: float | None = None
    # the same by load and requests alone, for less quiet: it needs no judgement of frames
    _network: "Settling | None" = None

    def __post_init__(self) -> None:
        if not self.network_only:
            self._network = Settling(NEARLY * self.quiet_ms, network_only=True)

    def document_began(self, ms: float) -> None:
        """A new document in the main frame: its load event is still to come."""
        self._began_ms = ms
        self._at(ms, partial(self._load, None))
        if self._network is not None:
            self._network.document_began(ms)

    def loaded(self, ms: float) -> None:
        self._at(ms, partial(self._load, ms))
        if self._network is not None:
            self._network.loaded(ms)

    def request_began(self, key: int, ms: float) -> None:
        self._at(ms, partial(self._in_flight.add, key))
        if self._network is not None:
            self._network.request_began(key, ms)

    def request_ended(self, key: int, ms: float) -> None:
        self._at(ms, partial(self._end, key, ms))
        if self._network is not None:
            self._network.request_ended(key, ms)

    def frame_changed(self, ms: float) -> None:
        if self.network_only:
            return
        if self.counting is None:
            self._at(ms, partial(self._change, ms))
        else:
            self._unjudged_ms.append(ms)
            self._judge(self.counting)

    def frame_judged(self, parts: Parts) -> None:
        """The next frame changed in these parts (see motion/counting.py); its time may be reported before or after."""
        if self.counting is not None and not self.network_only:
            self._judged.append(parts)
            self._judge(self.counting)

    def network_rests(self, known_ms: float) -> bool:
        """Whether load has fired, and no request was in flight for NEARLY of the quiet; frames are not considered."""
        network = self._network or self
        return network.settled_at_ms(known_ms) is not None

    def has_new_document(self, now_ms: float) -> bool:
        """Whether the document began so lately that it cannot have settled: a page that reloads always has one."""
        return self._began_ms is not None and now_ms < self._began_ms + self.quiet_ms

    def nearly_settled(self, known_ms: float) -> bool:
        """Whether the page has been quiet for so long that hardly anything is to be expected any more."""
        if self.settled_at_ms(known_ms) is not None:
            return True
        until_ms = self._until_ms(known_ms)
        since_ms = self._quiet_since_ms(until_ms)
        return since_ms is not None and until_ms >= since_ms + NEARLY * self.quiet_ms

    def settled_at_ms(self, known_ms: float) -> float | None:
        """The first moment at which the page had been quiet for `quiet_ms`; None while there is none."""
        until_ms = self._until_ms(known_ms)
        while self._coming and self._coming[0][0] <= until_ms:
            ms, _, apply = heappop(self._coming)
            self._look(ms)
            apply()
        self._look(until_ms)
        return self._settled_ms

    def _until_ms(self, known_ms: float) -> float:
        """Until when it is known which changes count."""
        return min(known_ms, self._unjudged_ms[0]) if self._unjudged_ms else known_ms

    def _look(self, ms: float) -> None:
        """Whether the page settles until `ms`, before which nothing else happens."""
        since_ms = self._quiet_since_ms(self._last_ms)
        while self._settled_ms is None and since_ms is not None and since_ms + self.quiet_ms <= ms:
            # a region that is empty for too long has not appeared after all, and then its changes count
            later_ms = self._quiet_since_ms(since_ms + self.quiet_ms)
            if later_ms == since_ms:
                self._settled_ms = since_ms + self.quiet_ms
            since_ms = later_ms

    def _quiet_since_ms(self, now_ms: float) -> float | None:
        """Since when nothing has happened on the page; None before load, and while a request is in flight."""
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
