"""A participant of an oTree session, with the calls of a browser without its static files.

A join link leads to the first page by two redirects. Sending a page saves its answer and leads to the next page by one.
"""

import asyncio
import re
import time
from dataclasses import dataclass
from random import Random
from urllib.parse import urlsplit

import httpx
from bench.load.caller import Caller, FailedError, Names

NAMES: Names = (
    (r"GET /join/", "join"),
    (r"GET /InitializeParticipant/", "initialize"),
    (r"POST /p/", "save"),
    (r"GET /p/", "page"),
    (r"GET /OutOfRangeNotification/", "end"),
    (r"POST /api/sessions", "make participants"),
)
SAVING = "save"
RADIO = re.compile(r'<input[^>]*\bname="?score"?')


@dataclass
class Subject:
    """`join` is the path of the session's link for everybody."""

    caller: Caller
    join: str
    rounds: int
    draw: Random
    think_s: float
    began: float

    async def walk(self) -> None:
        page, at = await self._follow(await self.caller.call("GET", self.join))
        self.caller.notes.begun_s.append(time.monotonic() - self.began)
        for number in range(self.rounds):
            if len(RADIO.findall(page.text)) != 7:
                raise FailedError(f"page {number + 1} has no seven radio buttons")
            await asyncio.sleep(self.think_s * self.draw.uniform(0.5, 1.5))
            sent = await self.caller.call("POST", at, form={"score": str(self.draw.randint(1, 7))})
            if not sent.is_redirect:
                raise FailedError(f"save: {sent.status_code}, but a redirect was expected")
            self.caller.notes.saved.append(at)
            page, at = await self._follow(sent)
        if not at.startswith("/OutOfRangeNotification"):
            raise FailedError(f"the last page is {at}")
        self.caller.notes.finished += 1

    async def _follow(self, answer: httpx.Response) -> tuple[httpx.Response, str]:
        """The page at the end of all redirects, and its path."""
        at = ""
        while answer.is_redirect:
            at = urlsplit(answer.headers["Location"]).path
            answer = await self.caller.call("GET", at)
        return answer, at
