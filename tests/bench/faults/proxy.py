"""A small TCP proxy between participants and the platform that disturbs what passes, by chance and with a seed.

It reads one HTTP/1.1 request, draws a fate for it, and closes the connection after it. Faults are those of real
networks: a connection that is reset before the request arrived, in the middle of it, after it arrived, or in the middle
of the answer; an answer that comes too late; a request that arrives twice, or once more a while later.
"""

import asyncio
import contextlib
import json
import random
import re
import socket
import struct
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar

LIMIT_BYTES = 1 << 20
UPSTREAM_S = 60.0
RESET = struct.pack("ii", 1, 0)
DEED = re.compile(rb"^PUT /api/session/(vote|play)s/([0-9a-f-]{36})")
# fate -> its share of requests that may be disturbed
FATES: dict[str, float] = {
    "reset before the request": 0.03,
    "reset in the request": 0.03,
    "reset after the request": 0.04,
    "reset in the answer": 0.03,
    "answer too late": 0.005,
    "request twice": 0.03,
    "request again later": 0.03,
}
# fates in which the platform sees a request more than once: only where a repeat is promised to be harmless
REPEATED = ("request twice", "request again later")


@dataclass(frozen=True)
class Request:
    head: bytes
    body: bytes

    @property
    def line(self) -> bytes:
        return self.head.partition(b"\r\n")[0]

    @property
    def is_put(self) -> bool:
        return self.head.startswith(b"PUT ")

    @property
    def deed(self) -> tuple[str, str] | None:
        """Whether it brings a vote or a play, and under which id."""
        found = DEED.match(self.head)
        return (found.group(1).decode(), found.group(2).decode()) if found else None

    @property
    def play(self) -> tuple[str, str] | None:
        """The play that it brings, alone or with a vote."""
        if self.deed is None or self.deed[0] == "play":
            return self.deed
        carried = json.loads(self.body).get("play")
        return ("play", carried["id"]) if carried else None

    def with_body(self, body: Mapping[str, Any]) -> "Request":
        text = json.dumps(body).encode()
        head = re.sub(rb"(?im)^content-length:.*$", b"Content-Length: %d\r" % len(text), self.head)
        return Request(head, text)

    def without_play(self) -> "Request":
        """The vote alone."""
        return self.with_body(json.loads(self.body) | {"play": None})

    def play_alone(self) -> "Request":
        """The play that a vote brings, as a request of its own."""
        vote = json.loads(self.body)
        carried = vote["play"]
        head = DEED.sub(f"PUT /api/session/plays/{carried.pop('id')}".encode(), self.head)
        return Request(head, b"").with_body({name: vote[name] for name in ("session_id", "position")} | carried)


@dataclass
class Plant:
    """Lies that the bench must find: so many votes, or plays, that get a receipt and never arrive, or arrive changed.

    Whoever is lied to once is lied to at each repeat. As many plays as votes are changed; of votes only ratings are.
    """

    lose: int = 0
    lose_plays: int = 0
    change: int = 0
    _lost: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _changed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def loses(self, deed: tuple[str, str] | None) -> bool:
        at_most = self.lose_plays if deed is not None and deed[0] == "play" else self.lose
        return _takes(self._lost, at_most, deed)

    def changes(self, deed: tuple[str, str] | None) -> bool:
        return _takes(self._changed, self.change, deed)


def _takes(taken: dict[str, set[str]], at_most: int, deed: tuple[str, str] | None) -> bool:
    if deed is None:
        return False
    kind, deed_id = deed
    if len(taken[kind]) < at_most:
        taken[kind].add(deed_id)
    return deed_id in taken[kind]


@dataclass
class Proxy:
    """`disturbed` says which requests may have a fate at all; `late_s` how long an answer is held that is too late."""

    upstream: tuple[str, int]
    draw: random.Random
    disturbed: re.Pattern[bytes]
    late_s: float
    plant: Plant = field(default_factory=Plant)
    shares: Mapping[str, float] = field(default_factory=lambda: dict(FATES))
    counts: Counter[str] = field(default_factory=Counter)
    port: int = 0
    _server: asyncio.Server | None = None
    _later: set[asyncio.Task[None]] = field(default_factory=set)
    _serving: set[asyncio.Task[Any]] = field(default_factory=set)
    HOST: ClassVar[str] = "127.0.0.1"

    @property
    def url(self) -> str:
        return f"http://{self.HOST}:{self.port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, self.HOST, 0, limit=LIMIT_BYTES)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        # connections that wait for a request, and what was to arrive later
        open_ones = [*self._serving, *self._later]
        for task in open_ones:
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)

    async def settle(self) -> None:
        """Wait for what was to arrive again later."""
        await asyncio.gather(*self._later, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (task := asyncio.current_task()) is not None:
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        # cancelled when the proxy stops: then nobody waits for an answer any more
        ended = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, asyncio.CancelledError)
        with contextlib.suppress(*ended):
            request = await _read(reader)
            await self._meet(request, writer)
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()

    async def _meet(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if self.plant.loses(request.deed):
            # the play that came with a vote is not lost with it
            if request.play not in (None, request.deed) and not self.plant.loses(request.play):
                await self._forward(request.play_alone())
            writer.write(_lie(request))
            return
        if request.play != request.deed and self.plant.loses(request.play):
            request = request.without_play()
        request = self._changed(request)
        fate = self._fate(request)
        self.counts[fate] += 1
        match fate:
            case "reset before the request":
                _reset(writer)
            case "reset in the request":
                await self._forward(request, cut=True)
                _reset(writer)
            case "reset after the request":
                await self._forward(request)
                _reset(writer)
            case "reset in the answer":
                answer = await self._forward(request)
                writer.write(answer[: self.draw.randrange(len(answer)) if answer else 0])
                await writer.drain()
                _reset(writer)
            case "answer too late":
                await self._forward(request)
                await asyncio.sleep(self.late_s)
                _reset(writer)
            case "request twice":
                answers = await asyncio.gather(self._forward(request), self._forward(request))
                self._answer(writer, self.draw.choice(answers))
            case "request again later":
                self._answer(writer, await self._forward(request))
                task = asyncio.create_task(self._again(request, self.draw.uniform(0.5, 5)))
                self._later.add(task)
                task.add_done_callback(self._later.discard)
            case _:
                self._answer(writer, await self._forward(request))

    def _fate(self, request: Request) -> str:
        if not self.disturbed.match(request.line):
            return "undisturbed"
        drawn = self.draw.random()
        for fate, share in self.shares.items():
            drawn -= share
            if drawn < 0:
                return fate if request.is_put or fate not in REPEATED else "passed on"
        return "passed on"

    def _answer(self, writer: asyncio.StreamWriter, answer: bytes) -> None:
        # a server that is gone has no answer: so much the client is told, too
        if answer:
            writer.write(answer)
        else:
            self.counts["nobody there"] += 1
            _reset(writer)

    async def _again(self, request: Request, after_s: float) -> None:
        await asyncio.sleep(after_s)
        await self._forward(request)

    async def _forward(self, request: Request, *, cut: bool = False) -> bytes:
        """The platform's whole answer; nothing where it gave none."""
        try:
            reader, writer = await asyncio.open_connection(*self.upstream)
        except OSError:
            return b""
        try:
            whole = _closing(request.head) + request.body
            writer.write(whole[: -max(1, len(request.body) // 2)] if cut else whole)
            await writer.drain()
            return b"" if cut else await asyncio.wait_for(reader.read(-1), UPSTREAM_S)
        except (OSError, TimeoutError):
            return b""
        finally:
            if cut:
                _reset(writer)
            writer.close()

    def _changed(self, request: Request) -> Request:
        if request.deed is None:
            return request
        body = json.loads(request.body)
        played = body if request.deed[0] == "play" else body.get("play")
        if played and self.plant.changes(request.play):
            played["evidence"]["media_ms"] += 1
        if "score" in body.get("data", {}) and self.plant.changes(request.deed):
            body["data"]["score"] = 1 + body["data"]["score"] % 7
        return request.with_body(body)


def _lie(request: Request) -> bytes:
    """A receipt that the platform never gave."""
    deed_id = request.deed[1] if request.deed else ""
    position = json.loads(request.body)["position"]
    body = json.dumps({"id": deed_id, "position": position, "received_at": datetime.now(UTC).isoformat()}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close"
    return head.encode() + b"\r\n\r\n" + body


async def _read(reader: asyncio.StreamReader) -> Request:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
    return Request(head, await reader.readexactly(int(length.group(1))) if length else b"")


def _closing(head: bytes) -> bytes:
    """The head, asking for one answer on this connection."""
    kept = re.sub(rb"(?im)^(proxy-)?connection:.*\r\n", b"", head)
    return kept[:-2] + b"Connection: close\r\n\r\n"


def _reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    writer.transport.abort()
