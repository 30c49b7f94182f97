"""Loads one page: navigates, waits until the page has settled, and queries the browser."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from playwright.async_api import BrowserContext, Error, Page, Worker
from playwright.async_api import TimeoutError as LimitReached

from eyelevel.loads.inside.browsing.elements import Look, look
from eyelevel.loads.inside.browsing.exchange import Exchange
from eyelevel.loads.inside.browsing.observer import COMMITTED, QUESTION
from eyelevel.loads.inside.browsing.origins import Origin, Origins
from eyelevel.loads.inside.browsing.send_times import SendTimes
from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.loads.inside.browsing.traffic import Traffic
from eyelevel.loads.inside.filming.alignment import Question
from eyelevel.loads.inside.filming.film import Film
from eyelevel.loads.inside.measuring.browser_metrics import Answer, Entries, entries_of, until
from eyelevel.loads.inside.measuring.moments import Marks
from eyelevel.loads.inside.measuring.pressure import Reading, idle_share, pressure
from eyelevel.loads.inside.request import Cause, LoadRequest, VoidError
from eyelevel_core.comparability.model import NETWORK_ERRORS
from eyelevel_core.model.take import Pressure

NOW = "performance.timeOrigin + performance.now()"
QUESTIONS = 3
# for the questions to the page, and again for those to the driver
ANSWER_S = 15
# interval of checks whether the network rests
LOOK_S = 0.05
# in the driver's errors: the page's process, or the browser, has ended
GONE = ("has been closed", "crashed")


@dataclass(frozen=True)
class Seen:
    """The results of one page load; times are in milliseconds since navigation start, but `zero_ms` since 1970.

    `load_ms` and `settled_ms` are None if the page did not load or settle. `end_ms` is the end of what counts: the page
    settled, or the film ended. `committed` is false if no document arrived within the limit; then `zero_ms` is when the
    browser was told to navigate. `given_up` is the browser's error if it stopped waiting. `entries` are the browser's
    performance entries until `end_ms`, unknown if the page did not answer. `workers` counts dedicated workers; their
    random numbers and date are pinned only if the script runs before theirs. `questions` are for
    alignment.clock_error_ms. `idle_share`, of the processors' time, and `pressure` are from navigation until the page
    had nearly settled. `look` is None unless it was requested, or if there was no page.
    """

    zero_ms: float
    settled_ms: float | None
    end_ms: float
    load_ms: float | None
    entries: Entries
    title: str
    workers: int
    exchanges: Sequence[Exchange]
    committed: bool
    given_up: str | None = None
    questions: Sequence[Question] = ()
    idle_share: float | None = None
    pressure: Pressure | None = None
    look: Look | None = None


async def load(
    context: BrowserContext,
    film: Film,
    settling: Settling,
    request: LoadRequest,
    *,
    url: str,
    marks: Marks,
    sends: SendTimes,
    origins: Origins,
    processors: Callable[[], Reading],
    rests: Callable[[], Awaitable[None]],
    nearly: Callable[[], None],
    over: Callable[[], None],
    filmed: Callable[[float, float], Awaitable[None]],
) -> Seen:
    """Loads the page and stops the film; raises VoidError if there is no page, or if a process has died.

    `sends` and `origins` already watch the page. `processors` reads the counters of the processors. Callbacks are
    called once: `rests` when the page has loaded and the network rests, `nearly` when it has nearly settled, `over`
    when it has settled, or all three at the limit; and `filmed` when the film has ended, with zero and the end of what
    counts, both in milliseconds since 1970.

    Zero is the time origin of the first document that the navigation commits, after redirects of the server. If a
    script then navigates to another page, the load event is that of the last document.
    """
    page = context.pages[0]
    traffic = Traffic(context, settling, request.not_painting, film.now_ms)
    workers: list[Worker] = []
    pinning: list[asyncio.Task[None]] = []

    def on_worker(worker: Worker) -> None:
        workers.append(worker)
        pinning.append(asyncio.create_task(_pin(worker, request.script)))

    page.on("worker", on_worker)
    page.on("domcontentloaded", lambda _: settling.document_began(film.now_ms()))
    page.on("load", lambda _: settling.loaded(film.now_ms()))
    deaths: list[str] = []
    page.on("crash", lambda _: deaths.append("the process of the page died"))
    context.on("close", lambda _: deaths.append("Chromium died"))
    asked_ms = film.now_ms()
    began = processors()
    quiet: list[Reading] = []

    def on_nearly() -> None:
        if not quiet:
            quiet.append(processors())
            nearly()

    with film.held():
        document, given_up = await _navigate(page, url, origins, timeout_ms=request.limit_s * 1000)
        committed = document is not None
        zero_ms, ttfb_ms = document or (asked_ms, None)
        limit_ms = zero_ms + request.limit_s * 1000
        if committed:
            await _until_rests(film, settling, deaths, limit_ms=limit_ms)
    await rests()
    settled_ms = None
    if committed:
        settled_ms = await _until_settled(film, settling, deaths, on_nearly, limit_ms=limit_ms)
    on_nearly()
    marks.reach("settled")
    over()
    await film.stop()
    if committed and settled_ms is None:  # by frames that were read only now, it may have settled in time
        settled_ms = _settled_ms(settling, min(film.end.time_ms, limit_ms), limit_ms)
    marks.reach("film_ended")
    until_ms = film.end.time_ms if settled_ms is None else settled_ms
    await filmed(zero_ms, until_ms)
    marks.reach("measured")
    answer, questions = (await _asked(page, film.now_ms) if committed else None) or (None, [])
    if answer is None:  # a page that does not answer has not settled, even if nothing moves
        settled_ms = None
    async with asyncio.timeout(ANSWER_S):
        exchanges = [sends.added_to(exchange) for exchange in await traffic.exchanges(zero_ms)]
    # the content of a page that keeps reloading would depend on the time of this query
    looked = (
        await _look(page, traffic, exchanges)
        if request.looked_at and answer is not None and not settling.has_new_document(until_ms)
        else None
    )
    marks.reach("asked")

    entries = Entries() if answer is None else entries_of(answer, zero_ms=zero_ms)
    return Seen(
        zero_ms=zero_ms,
        settled_ms=None if settled_ms is None else settled_ms - zero_ms,
        end_ms=until_ms - zero_ms,
        load_ms=entries.load_ms,
        entries=until(replace(entries, ttfb_ms=ttfb_ms), until_ms - zero_ms),
        title=answer["title"] if answer else "",
        workers=len(workers),
        exchanges=exchanges,
        committed=committed,
        given_up=given_up,
        questions=questions,
        idle_share=idle_share(began, quiet[0]),
        pressure=pressure(began, quiet[0]),
        look=looked,
    )


async def _look(page: Page, traffic: Traffic, exchanges: Sequence[Exchange]) -> Look:
    try:  # requests that came meanwhile have no exchange
        return await look(page, zip(traffic.requests(), exchanges, strict=False))
    except (Error, TimeoutError) as error:
        why = (str(error).splitlines() or ["it took too long"])[0]
        raise VoidError(Cause.BROKEN_RESULT, f"the settled page could not be inspected: {why}") from error


async def _navigate(page: Page, url: str, origins: Origins, *, timeout_ms: float) -> tuple[Origin | None, str | None]:
    """The committed document's time origin and first byte, and Chromium's error if it stopped waiting.

    A document that does not arrive in time is slow, but not void. Nor is a navigation that Chromium ends because there
    is no answer: how long a stack is silent under loss is measured, and a retry would keep only its better attempts.
    """
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            await page.goto(url, wait_until="commit", timeout=timeout_ms)
            return await _committed(page, origins), None
    except (LimitReached, TimeoutError):
        return None, None
    except Error as error:
        name = error_name(error.message)
        if name in NETWORK_ERRORS:
            return None, name
        raise VoidError(_cause(name, error.message), error.message.splitlines()[0]) from error


async def _committed(page: Page, origins: Origins) -> Origin:
    """The origin of the first document as it reported it, because another may have replaced it before the query."""
    try:
        zero_ms, first_byte_ms = await page.evaluate(COMMITTED)
    except Error:
        if origins.first is None:
            raise
        return origins.first
    return origins.first or (float(zero_ms), float(first_byte_ms))


def _cause(name: str | None, message: str) -> Cause:
    if name is None and any(word in message for word in GONE):
        return Cause.PROCESS_DIED
    return Cause.NETWORK_CHANGED if name == "net::ERR_NETWORK_CHANGED" else Cause.NAVIGATION_FAILED


def error_name(message: str) -> str | None:
    """Returns Chromium's error in a message of the driver; None if there is none."""
    match = re.search(r"net::ERR_\w+", message)
    return match.group() if match else None


async def _until_rests(film: Film, settling: Settling, deaths: Sequence[str], *, limit_ms: float) -> None:
    """Waits until the page has loaded and the network rests, by the clock alone, as the film reports nothing."""
    while (now_ms := film.now_ms()) < limit_ms and not settling.network_rests(now_ms):
        await asyncio.sleep(LOOK_S)
        await film.check()
        if deaths:
            raise VoidError(Cause.PROCESS_DIED, deaths[0])


async def _until_settled(
    film: Film,
    settling: Settling,
    deaths: Sequence[str],
    nearly: Callable[[], None],
    *,
    limit_ms: float,
) -> float | None:
    known_ms = 0.0
    while known_ms < limit_ms:
        known_ms = await film.hear()
        if deaths:
            raise VoidError(Cause.PROCESS_DIED, deaths[0])
        if settling.nearly_settled(known_ms):
            nearly()
        settled_ms = _settled_ms(settling, known_ms, limit_ms)
        if settled_ms is not None:
            return settled_ms
    return None


def _settled_ms(settling: Settling, known_ms: float, limit_ms: float) -> float | None:
    settled_ms = settling.settled_at_ms(known_ms)
    return settled_ms if settled_ms is not None and settled_ms < limit_ms else None


async def _asked(page: Page, now_ms: Callable[[], float]) -> tuple[Answer, list[Question]] | None:
    """The document's times and its clock; None if its scripts prevent an answer, or if it is replaced (by a reload)."""
    try:
        async with asyncio.timeout(ANSWER_S):
            return await page.evaluate(QUESTION), [await _ask(page, now_ms) for _ in range(QUESTIONS)]
    except TimeoutError:
        return None
    except Error as error:
        if any(word in error.message for word in GONE):
            raise VoidError(Cause.PROCESS_DIED, error.message.splitlines()[0]) from error
        return None


async def _ask(page: Page, now_ms: Callable[[], float]) -> Question:
    before_ms = now_ms()
    answer_ms = float(await page.evaluate(NOW))
    return before_ms, answer_ms, now_ms()


async def _pin(worker: Worker, script: str) -> None:
    try:
        await worker.evaluate(script)
    except Error:
        return  # it has ended already
