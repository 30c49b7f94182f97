"""A page that comes too late for the campaign's limit is a take, not a void attempt: slow arms are not sorted out."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from time import time
from typing import Any, cast

import pytest
from playwright.async_api import BrowserContext, Error, Page
from playwright.async_api import TimeoutError as LimitReached

from eyelevel.loads.inside import results
from eyelevel.loads.inside.browsing.observer import COMMITTED
from eyelevel.loads.inside.browsing.origins import Origins
from eyelevel.loads.inside.browsing.send_times import SendTimes
from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.loads.inside.filming.alignment import clock_error_ms
from eyelevel.loads.inside.filming.film import Film
from eyelevel.loads.inside.filming.frames import End, Frame
from eyelevel.loads.inside.load import Seen, _ask, load
from eyelevel.loads.inside.measuring.browser_metrics import Entries
from eyelevel.loads.inside.measuring.moments import Marks
from eyelevel.loads.inside.measuring.pressure import reading
from eyelevel.loads.inside.request import Cause, LoadRequest, VoidError
from eyelevel.motion.counting import Counting
from eyelevel_core.model.mask import Region

REQUEST = LoadRequest(
    way="tcp",
    width_px=64,
    height_px=48,
    limit_s=1,
    quiet_ms=3000,
    script="",
)


class SilentPage:
    """A browser whose navigation ends in `error` before any document is committed."""

    def __init__(self, error: Error) -> None:
        self.pages = [self]
        self._error = error

    def on(self, *_: object) -> None:
        pass

    async def goto(self, url: str, **_: object) -> None:
        await asyncio.sleep(0.02)
        raise self._error

    async def evaluate(self, script: str) -> Any:
        raise AssertionError(f"no document is there to be asked {script}")


class BusyPage(SilentPage):
    """A document comes, whose own script never lets it answer."""

    def __init__(self) -> None:
        super().__init__(Error("not raised"))

    async def goto(self, url: str, **_: object) -> None:
        await asyncio.sleep(0.02)

    async def evaluate(self, script: str) -> Any:
        await asyncio.sleep(60)


class RaisingPage(SilentPage):
    """A document comes, and `error` is the answer to what it is asked."""

    async def goto(self, url: str, **_: object) -> None:
        await asyncio.sleep(0.02)

    async def evaluate(self, script: str) -> Any:
        if script == COMMITTED:
            return time() * 1000, 1.0
        raise self._error


class FleetingPage(RaisingPage):
    """A document that has been replaced before it is asked for its time origin."""

    async def evaluate(self, script: str) -> Any:
        raise self._error


class WhiteFilm:
    def __init__(self) -> None:
        self.frames = [Frame(time_ms=time() * 1000, colour="#ffffff")]
        self.end = End(time() * 1000, merged=0, equal=0, lost=0)
        self.stopped = False
        self.is_held = False
        self.measured_from: list[float] = []
        self.measured_until: list[float] = []
        self.rested_before_end: list[bool] = []

    @contextmanager
    def held(self) -> Iterator[None]:
        assert not self.is_held
        self.is_held = True
        yield
        self.is_held = False

    async def check(self) -> None:
        pass

    async def rests(self) -> None:
        assert not self.is_held
        self.rested_before_end.append(not self.stopped)

    def now_ms(self) -> float:
        return time() * 1000

    async def stop(self) -> None:
        self.stopped = True

    async def measure(self, zero_ms: float, until_ms: float) -> None:
        assert self.stopped
        self.measured_from.append(zero_ms)
        self.measured_until.append(until_ms)


class LateFilm(WhiteFilm):
    """The film of a page that moves for ever, of which nobody says what changed before the film has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.settling = Settling(300, counting=Counting([Region(4, (0, 0, 32, 32), 6.0, 0.0)]))
        self.changed = 0
        self.loaded = False

    async def check(self) -> None:
        assert self.is_held
        if not self.loaded:
            self.loaded = True
            self.settling.loaded(self.now_ms())

    async def hear(self) -> float:
        assert not self.is_held
        await asyncio.sleep(0.05)
        self.settling.frame_changed(self.now_ms())
        self.changed += 1
        return self.now_ms()

    async def stop(self) -> None:
        await super().stop()
        self.end = End(time() * 1000, merged=0, equal=0, lost=0)
        for _ in range(self.changed):
            self.settling.frame_judged([(1, 6.0)])


class CommittedPage(BusyPage):
    """A document that answers once."""

    async def evaluate(self, script: str) -> Any:
        return (time() * 1000, 1.0) if script == COMMITTED else await super().evaluate(script)


def loaded(error: Error, film: WhiteFilm) -> Seen:
    return loaded_from(SilentPage(error), film)


def loaded_from(page: SilentPage, film: WhiteFilm, origins: Origins | None = None) -> Seen:
    context = cast("BrowserContext", page)
    return asyncio.run(
        load(
            context,
            cast("Film", film),
            getattr(film, "settling", Settling(3000)),
            REQUEST,
            url="https://garden.example/",
            marks=Marks(),
            sends=SendTimes(),
            origins=origins or Origins(),
            processors=partial(reading, None, None),
            rests=film.rests,
            nearly=lambda: None,
            over=lambda: None,
            filmed=film.measure,
        )
    )


def test_a_page_that_does_not_come_within_the_limit_is_seen_as_unsettled_and_unloaded() -> None:
    film = WhiteFilm()
    before_ms = time() * 1000
    seen = loaded(LimitReached("Timeout 1000ms exceeded."), film)
    assert (seen.committed, seen.settled_ms, seen.load_ms, seen.entries) == (False, None, None, Entries())
    assert before_ms <= seen.zero_ms <= time() * 1000
    assert film.measured_from == [seen.zero_ms]
    assert film.rested_before_end == [True]
    assert seen.pressure is not None
    results.check(seen, film.frames, film.end, protocols=["h2"])


def test_a_document_that_never_answers_is_unsettled_when_the_limit_ends() -> None:
    film = WhiteFilm()
    before_ms = time() * 1000
    seen = loaded_from(BusyPage(), film)
    assert time() * 1000 - before_ms < 10_000
    assert (seen.settled_ms, seen.load_ms, seen.given_up) == (None, None, None)
    assert film.measured_from == [seen.zero_ms]
    results.check(seen, film.frames, film.end, protocols=["h2"])


def test_a_document_that_is_replaced_while_it_is_asked_is_unsettled() -> None:
    error = Error("Page.evaluate: Execution context was destroyed, most likely because of a navigation")
    seen = loaded_from(RaisingPage(error), LateFilm())
    assert (seen.committed, seen.settled_ms, seen.load_ms) == (True, None, None)


def test_a_document_that_reloads_at_once_has_the_time_origin_that_it_told_and_is_void_where_it_told_none() -> None:
    page = FleetingPage(Error("Page.evaluate: Execution context was destroyed, most likely because of a navigation"))
    with pytest.raises(VoidError) as caught:
        loaded_from(page, LateFilm())
    assert caught.value.cause is Cause.NAVIGATION_FAILED
    origins, zero_ms = Origins(), time() * 1000
    origins.first = zero_ms, 12.0
    seen = loaded_from(page, LateFilm(), origins)
    assert (seen.committed, seen.given_up, seen.zero_ms, seen.entries.ttfb_ms) == (True, None, zero_ms, 12.0)


@pytest.mark.parametrize("words", ["Target crashed", "Target page, context or browser has been closed"])
def test_a_browser_that_dies_while_it_is_asked_is_a_dead_process(words: str) -> None:
    with pytest.raises(VoidError) as caught:
        loaded_from(RaisingPage(Error(f"Page.evaluate: {words}")), LateFilm())
    assert caught.value.cause is Cause.PROCESS_DIED


def test_a_page_that_settled_before_the_limit_is_cut_there_though_its_film_is_read_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("eyelevel.loads.inside.load.ANSWER_S", 0.05)
    film = LateFilm()
    seen = loaded_from(CommittedPage(), film)
    # loaded after 50 ms, then 300 ms in which only the moving region changed; the limit is 1000
    (until_ms,) = film.measured_until
    assert 340 < until_ms - seen.zero_ms < 600


def test_a_navigation_that_fails_at_once_is_void() -> None:
    with pytest.raises(VoidError) as caught:
        loaded(Error("net::ERR_CONNECTION_REFUSED"), WhiteFilm())
    assert caught.value.cause is Cause.NAVIGATION_FAILED


def test_a_navigation_that_chromium_gives_up_in_silence_is_an_outcome_with_its_error() -> None:
    film = WhiteFilm()
    seen = loaded(Error("net::ERR_QUIC_PROTOCOL_ERROR at https://garden.example/"), film)
    assert (seen.committed, seen.load_ms, seen.given_up) == (False, None, "net::ERR_QUIC_PROTOCOL_ERROR")
    assert film.stopped
    results.check(seen, film.frames, film.end, protocols=["h3"])


def test_a_name_that_is_not_found_is_the_testbed_s_fault_and_void() -> None:
    with pytest.raises(VoidError) as caught:
        loaded(Error("net::ERR_NAME_NOT_RESOLVED"), WhiteFilm())
    assert caught.value.cause is Cause.NAVIGATION_FAILED


def test_a_browser_that_dies_during_the_navigation_is_a_dead_process() -> None:
    with pytest.raises(VoidError) as caught:
        loaded(Error("Page.goto: Target page, context or browser has been closed"), WhiteFilm())
    assert caught.value.cause is Cause.PROCESS_DIED


class HourAheadPage:
    """Its process started before the wall clock was set back by an hour."""

    async def evaluate(self, script: str) -> float:
        return (time() + 3600) * 1000


def test_the_browsers_clock_is_compared_with_the_films_and_not_with_a_wall_clock_that_was_set_since() -> None:
    question = asyncio.run(_ask(cast("Page", HourAheadPage()), lambda: (time() + 3600) * 1000))
    error_ms, bound_ms = clock_error_ms([question])
    assert abs(error_ms) <= bound_ms < 50
