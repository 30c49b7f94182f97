"""HTTP calls of one participant: one connection kept open as a browser keeps it, and a note of every call."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

TIMEOUT_S = 60.0
# a browser repeats by itself what met a connection that the server was just closing
CLOSED = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
Names = Sequence[tuple[str, str]]


class FailedError(Exception):
    """A call had no answer, or one that this participant cannot go on with."""


@dataclass
class Notes:
    """What all participants met; times by the generator's clock."""

    # name, seconds, status
    calls: list[tuple[str, float, int]] = field(default_factory=list)
    # seconds from the start of the bench to each successful beginning
    begun_s: list[float] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    finished: int = 0
    # 429, by the name of the call
    busy: dict[str, int] = field(default_factory=dict)
    repeated: int = 0
    errors: list[str] = field(default_factory=list)


@dataclass
class Caller:
    """`names` are pairs of a pattern of `METHOD /path` and the call's name."""

    client: httpx.AsyncClient
    names: Names
    notes: Notes
    draw: Random

    async def call(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
        allowed: Sequence[int] = (),
    ) -> httpx.Response:
        """The answer; waits and repeats where the server is busy. Raises FailedError."""
        name = name_of(self.names, method, path)
        while True:
            answer = await self._once(name, method, path, body, form)
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                break
            self.notes.busy[name] = self.notes.busy.get(name, 0) + 1
            await asyncio.sleep(float(answer.headers.get("Retry-After", 1)) * self.draw.uniform(1, 1.5))
        if answer.status_code >= 400 and answer.status_code not in allowed:
            raise FailedError(f"{name}: {answer.status_code} {answer.text[:200]}")
        return answer

    async def _once(
        self,
        name: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        form: Mapping[str, str] | None,
    ) -> httpx.Response:
        for left in (2, 1, 0):
            began = time.perf_counter()
            try:
                answer = await self.client.request(method, path, json=body, data=form)
            except CLOSED as error:
                self.notes.repeated += 1
                if not left:
                    raise FailedError(f"{name}: {error!r}") from error
            except httpx.HTTPError as error:
                raise FailedError(f"{name}: {error!r} after {time.perf_counter() - began:.0f} s") from error
            else:
                self.notes.calls.append((name, time.perf_counter() - began, answer.status_code))
                return answer
        raise AssertionError("unreachable")


def name_of(names: Names, method: str, path: str) -> str:
    line = f"{method} {path}"
    return next((name for pattern, name in names if re.match(pattern, line)), line)


def client_of(url: str) -> httpx.AsyncClient:
    """With a cookie jar and a connection of its own."""
    transport = httpx.AsyncHTTPTransport(verify=False, limits=httpx.Limits(max_connections=1, keepalive_expiry=None))
    return httpx.AsyncClient(base_url=url, transport=transport, trust_env=False, timeout=TIMEOUT_S)
