"""A capture session: a sandbox with a browser that shows white and is being filmed, ready for one page load.

It can be prepared while another page settles; then it has the lowest priority, so that it runs only on idle processors.
Its screen is filmed, and shows white, once the other page has nearly settled.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import time
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, Playwright

from eyelevel.loads.inside import autogroup, results
from eyelevel.loads.inside.browsing import chromium as browser
from eyelevel.loads.inside.browsing.first_visit import visit
from eyelevel.loads.inside.browsing.origins import Origins
from eyelevel.loads.inside.browsing.send_times import SendTimes
from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.loads.inside.browsing.watch import Watch
from eyelevel.loads.inside.filming.film import CHANGES, Film, encode, film
from eyelevel.loads.inside.filming.frames import End, Frame, cut
from eyelevel.loads.inside.filming.lead import show_white
from eyelevel.loads.inside.filming.watcher import Watcher
from eyelevel.loads.inside.groups import Group, joining
from eyelevel.loads.inside.load import Seen, load
from eyelevel.loads.inside.measuring.moments import Marks
from eyelevel.loads.inside.measuring.pressure import reading
from eyelevel.loads.inside.request import COUNTED, COUNTED_FROM, Job, LoadRequest
from eyelevel.loads.inside.sandbox import PLACE, Sandbox, sandbox
from eyelevel.motion.counting import Counting
from eyelevel.ways import WAYS
from eyelevel_core.batch_folder.masks import read_mask
from eyelevel_core.comparability.addresses import place

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Turn:
    """Events at which a session that is prepared beside another may continue.

    `near`: the other page has nearly settled; `clear`: it is no longer filmed.
    """

    near: asyncio.Event = field(default_factory=asyncio.Event)
    clear: asyncio.Event = field(default_factory=asyncio.Event)


class CaptureSession:
    """A capture session: call `prepare`, `film` and `close` once each; `close` also after an error."""

    def __init__(self, job: Job, drive: Playwright, watching: Watcher | None, group: Group | None) -> None:
        self.job = job
        self._all = group
        self._own: Group | None = None
        self.marks = Marks()
        self._request = LoadRequest.read(job.folder / "request.json")
        counted = watching is not None and self._request.counted
        self._settling = _settling(self._request, _counting(self._request.mask) if counted else None)
        self._first_frame_judged = False
        self._sends = SendTimes()
        self._origins = Origins()
        self._drive = drive
        self._watching = watching if self._request.counted else None
        self._place: Sandbox | None = None
        self._context: BrowserContext | None = None
        self._film: Film | None = None
        # the frames and the end of what counts
        self._shown: tuple[list[Frame], End] | None = None
        self._encoding: asyncio.Task[None] | None = None
        self._given: list[str] = []
        self.opened = asyncio.Event()
        self._stacks = {name: AsyncExitStack() for name in ("film", "browser", "place")}

    @property
    def _size(self) -> dict[str, int]:
        """The size of the film."""
        return {"width_px": self._request.film.width_px, "height_px": self._request.film.height_px}

    async def prepare(self, turn: Turn) -> None:
        """Starts the session, with low priority until `turn.clear`, and shows white; raises VoidError or EndedError."""
        clear = turn.clear
        nice = autogroup.FIRST if clear.is_set() else autogroup.LAST
        if self._all is not None:
            self._own = self._stacks["place"].enter_context(self._all.inner())
        log = self.job.folder / "talk.log"
        command = [*joining(self._own), *self.job.testbed]
        place = await self._stacks["place"].enter_async_context(sandbox(command, log=log, nice=nice))
        self._place = place
        self.marks.reach("started")
        if self._watching is not None:
            await self._watching.start()
        if self._request.earlier_visit_s is None:
            context, running = await _both(self._open_browser(place, clear), self._begin_film(place, turn.near))
            await context.add_init_script(self._request.script)
            await self._block(context)
        else:
            context = await self._open_browser(place, clear)
            await context.add_init_script(self._request.script)
            await self._visit(context, place, self._request.earlier_visit_s)
            running = await self._begin_film(place, turn.near)
        await self._sends.watch(context, context.pages[0])
        await self._origins.watch(context, context.pages[0])
        await show_white(context.pages[0], running, clear)
        self.marks.reach("white")
        await clear.wait()
        self._let_go(place)
        await browser.slow_down(context, self._request.device)

    async def _block(self, context: BrowserContext) -> None:
        blocked = frozenset(self._request.blocked)
        if blocked:  # else the browser's requests would pass through the driver
            await context.route(lambda url: place(url) in blocked, lambda route: route.abort())

    async def _visit(self, context: BrowserContext, place: Sandbox, limit_s: float) -> None:
        quiet_ms, not_painting = self._request.quiet_ms, self._request.not_painting
        await visit(
            context,
            place.start_url,
            quiet_ms=quiet_ms,
            limit_s=limit_s,
            farewell_s=self._request.farewell_s,
            not_painting=not_painting,
        )
        (self.job.folder / COUNTED_FROM).write_text(f"{time() * 1000:.3f}\n")

    async def _watch(self) -> None:
        """Starts the watcher, which reads the film from its beginning and measures it."""
        assert self._film  # noqa: S101 - it has been prepared
        if self._watching is not None:
            watched = await self._watching.watch(
                self.job.folder / CHANGES,
                to=self.job.folder / COUNTED,
                mask=self._request.mask,
                on_parts=self._on_parts,
                **self._size,
            )
            self._stacks["film"].push_async_callback(watched.give_up)
            self._film.watch(watched)

    async def _open_browser(self, place: Sandbox, clear: asyncio.Event) -> BrowserContext:
        profile = browser.Profile(PLACE / "profile", kept=self.job.folder / "profile", keep=self._request.keep_profile)
        self._given = browser.arguments(
            way=self._request.way,
            resolver_rules=place.resolver_rules,
            spki=place.spki,
            profile=profile.path,
            is_root=browser.running_as_root(),
            closes_connections=self._request.earlier_visit_s is not None,
            width_px=self._request.width_px,
            height_px=self._request.height_px,
            device=self._request.device,
        )
        self._context = await self._stacks["browser"].enter_async_context(
            browser.browser(
                self._drive,
                place,
                self._given,
                folder=self.job.folder,
                profile=profile,
                nice=autogroup.USUAL if clear.is_set() else autogroup.LAST,
                joining=joining(self._own),
            )
        )
        if clear.is_set():
            self._let_go(place)
        await browser.emulate(self._context, self._request.device, self._request.viewport)
        self.marks.reach("ready")
        self.opened.set()
        return self._context

    async def _begin_film(self, place: Sandbox, near: asyncio.Event) -> Film:
        await near.wait()
        self._film = await self._stacks["film"].enter_async_context(
            film(
                place.screen,
                changes=self.job.folder / CHANGES,
                on_change=lambda frame: self._settling.frame_changed(frame.time_ms),
                enter=place.enter(bound=False),
                **self._size,
            )
        )
        return self._film

    def _let_go(self, place: Sandbox) -> None:
        """Gives running processes their usual priority; Chromium, if it starts later, gets it after its start."""
        place.weigh(autogroup.FIRST)
        browser.Starter(self.job.folder).weigh(autogroup.USUAL)

    def _on_parts(self, parts: Sequence[tuple[int, float]]) -> None:
        """Handles the changed parts of a frame; the first frame is not a change."""
        if self._first_frame_judged:
            self._settling.frame_judged(parts)
        self._first_frame_judged = True

    async def film(self, *, nearly: Callable[[], None], over: Callable[[], None]) -> Seen:
        """Loads the page and films it until it has settled; `nearly` and `over` are as in load()."""
        assert self._place and self._context and self._film  # noqa: S101, PT018 - it has been prepared
        return await load(
            self._context,
            self._film,
            self._settling,
            self._request,
            url=self._place.start_url,
            marks=self.marks,
            sends=self._sends,
            origins=self._origins,
            processors=partial(reading, self._all, self._own),
            rests=self._watch,
            nearly=nearly,
            over=over,
            filmed=self._filmed,
        )

    async def _filmed(self, zero_ms: float, until_ms: float) -> None:
        """Measures the film, and starts encoding it, while browser and testbed end."""
        assert self._film  # noqa: S101 - it has been prepared
        frames, end = self._shown = cut(self._film.frames, self._film.end, until_ms)
        results.write_times(self.job.folder, zero_ms, frames, end)
        await self._film.measure(self.job.folder)
        if not self._request.keep_profile:  # such a visit only fills the cache
            changes, film = self.job.folder / CHANGES, self.job.folder / "film.mkv"
            self._encoding = asyncio.create_task(encode(changes, film, pictures=len(frames)))

    async def encoded(self) -> None:
        """Waits until the film is encoded; raises VoidError if it cannot be encoded."""
        if self._encoding is not None:
            await self._encoding

    async def drop_film(self) -> None:
        """Stops encoding if it has not finished."""
        if self._encoding is not None:
            self._encoding.cancel()
            await asyncio.wait([self._encoding])

    async def close(self) -> int:
        """Ends the session; returns the testbed's exit status, 0 if it did not start."""
        try:
            await self._stacks["film"].aclose()
        finally:
            browser_ends, place_ends = self._stacks["browser"].aclose, self._stacks["place"].aclose
            if self._request.keep_profile:  # the profile is in the sandbox
                try:
                    await browser_ends()
                finally:
                    await place_ends()
            else:
                ended = await asyncio.gather(browser_ends(), place_ends(), return_exceptions=True)
                for error in filter(None, ended):
                    raise error
        self.marks.reach("closed")
        return (self._place.status or 0) if self._place else 0

    def keep(self, seen: Seen) -> None:
        """Writes the results after the end; raises VoidError if they cannot be used."""
        assert self._context and self._shown  # noqa: S101, PT018 - it has been filmed
        running, (frames, end) = self._context.browser, self._shown
        results.write(
            self.job.folder,
            seen,
            frames,
            end,
            script=self._request.script,
            marks=self.marks.ms,
            browser_version=running.version if running else "unknown",
            browser_arguments=browser.without_place(self._given),
            creator_version=version("eyelevel"),
        )
        protocols = WAYS[self._request.way].protocols
        results.check(seen, frames, end, protocols=protocols)


def _settling(request: LoadRequest, counting: Counting | None) -> Settling:
    if request.watched_ms is not None:
        return Watch(request.quiet_ms, watched_ms=request.watched_ms, rest_ms=request.rest_ms)
    return Settling(request.quiet_ms, network_only=request.network_only, counting=counting)


def _counting(mask: str | None) -> Counting | None:
    """None if nothing on the page keeps moving: then every change counts."""
    known = None if mask is None else read_mask(Path(mask))
    return None if known is None or known.still else Counting(known.regions)


async def _both(one: Coroutine[Any, Any, A], other: Coroutine[Any, Any, B]) -> tuple[A, B]:
    """Both results; if one fails, raises its error once the other has stopped."""
    first, second = asyncio.ensure_future(one), asyncio.ensure_future(other)
    try:
        return await asyncio.gather(first, second)
    finally:
        for task in (first, second):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
