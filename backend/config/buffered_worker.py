"""Gunicorn worker that buffers requests and responses, so that slow clients occupy no thread (ADR 16).

Gunicorn starts, watches and stops the processes; waitress speaks HTTP in an event loop. A thread of Django gets a
request once its last byte has arrived, and is free once the response is in a buffer. Only a file of a batch is streamed
(`config.streamed_body`): it may have 2 GiB, and Django rejects a sender without a token before reading it.
"""

import os
import resource
import socket
import sys
import time
from typing import Any

from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from config.limits import is_streamed, limit_bytes
from config.streamed_body import streamed_body

TICK_S = 1.0
# less than the 20 s after which the supervisor kills the process
DRAIN_S = 10.0
# time limits for receiving the headers, and a buffered body
HEADER_S = 15.0
BODY_S = 120.0
# between requests, and while a client reads no byte of its response
IDLE_S = 60
HEADER_BYTES = 32 * 1024
# longer data are buffered in a file
REQUEST_BYTES, RESPONSE_BYTES = 64 * 1024, 1024 * 1024
# send buffer of the kernel for each connection, which doubles it: 40 Mbit/s at a round trip of 50 ms. Its default of
# 3 MB and more would, with 200 clients that request a long response and do not read it, block the event loop for
# seconds.
SEND_BYTES = 128 * 1024
CONNECTIONS = 4000
# open files of a connection: socket, body of the request, response, and the response before it
FILES_EACH = 4
# open files reserved for everything but connections
OTHER_FILES = 200


class Parser(HTTPRequestParser):
    """Parser of a request, which limits the size of the body by method and path before any of the body is read.

    A connection has one request at a time, whose response is sent before the next is read. If further data came with
    a request, the connection is closed after its response: browsers do not pipeline, and would retry on another
    connection (RFC 9112, 9.3.2).
    """

    adj: Any
    body_rcv: Any
    content_length: int
    expect_continue: bool

    def __init__(self, adj: Adjustments, channel: "Channel") -> None:
        super().__init__(adj)
        self.channel = channel
        self.begun_at = time.monotonic()
        self.stream: Any = None

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.stream is not None:
            # data after the headers are the beginning of the body
            self.stream.begins_with(data[consumed:])
        elif self.empty or not self.completed or consumed == len(data):
            return consumed
        self._close_after_answer()
        return len(data)

    def _close_after_answer(self) -> None:
        # where waitress looks for it
        self.headers["CONNECTION"] = "close"

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a Content-Length of thousands of digits, an address with half a bracket
            raise ParsingError("The headers cannot be read") from error
        limit = limit_bytes(self.command, self.path)
        too_large = self.content_length > limit
        if too_large or (self.content_length > 0 and is_streamed(self.command, self.path)):
            # Django gets the request now: it answers 413 without reading, or reads the body from the connection
            if not too_large:
                self.stream = streamed_body(self.channel.socket, expects_continue=self.expect_continue)
            self.body_rcv = None
            self.content_length = 0
            self.expect_continue = False
            # the following bytes are the unread rest of the body, and not a request
            self._close_after_answer()
        elif self.chunked:
            # of unknown length: buffered, with the limit for requests without a token
            self.adj = _with_limit(self.adj, min(limit, settings.MAX_BODY_BYTES))

    def get_body_stream(self) -> Any:
        return super().get_body_stream() if self.stream is None else self.stream.reader()

    def is_late(self, now: float) -> bool:
        return now - self.begun_at > (BODY_S if self.headers_finished else HEADER_S)


class Channel(HTTPChannel):
    """A connection, whose representation, which waitress logs, does not contain the client's address."""

    def parser_class(self, adj: Adjustments) -> Parser:
        return Parser(adj, self)

    def __repr__(self) -> str:
        return "<connection>"

    __str__ = __repr__

    def is_busy(self) -> bool:
        return bool(self.requests) or self.total_outbufs_len > 0


class Server(TcpWSGIServer):
    """A listening socket with its connections."""

    channel_class = Channel

    def maintenance(self, now: float) -> None:
        """Close connections that were idle, or whose request exceeded its time limit."""
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.request is not None and channel.request.is_late(time.monotonic()):
                channel.will_close = True


class BufferedWorker(Worker):
    """The worker class for `gunicorn --worker-class config.buffered_worker.BufferedWorker`."""

    _next_notice = 0.0

    def run(self) -> None:
        connections: dict[int, Any] = {}
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(self.cfg.threads)
        servers = [self._listen(listener.sock, connections, dispatcher) for listener in self.sockets]
        while self.alive and self.is_parent_alive():
            self._turn(connections)
        for server in servers:
            server.accepting = False
        end = time.monotonic() + DRAIN_S
        while time.monotonic() < end and any(channel.is_busy() for server in servers for channel in _channels(server)):
            self._turn(connections)
        dispatcher.shutdown(timeout=1)

    def is_parent_alive(self) -> bool:
        return bool(self.ppid == os.getppid())

    def _turn(self, connections: dict[int, Any]) -> None:
        now = time.monotonic()
        if now >= self._next_notice:
            # the master kills a worker that sends no notice
            self._next_notice = now + TICK_S
            self.notify()
        wasyncore.loop(timeout=TICK_S, use_poll=True, map=connections, count=1)

    def _listen(self, sock: Any, connections: dict[int, Any], dispatcher: ThreadedTaskDispatcher) -> Server:
        adjustments = Adjustments(
            sockets=[sock],
            threads=self.cfg.threads,
            connection_limit=_connection_limit(),
            backlog=self.cfg.backlog,
            channel_timeout=IDLE_S,
            cleanup_interval=5,
            max_request_header_size=HEADER_BYTES,
            inbuf_overflow=REQUEST_BYTES,
            outbuf_overflow=RESPONSE_BYTES,
            # a thread never waits for a client that reads slowly
            outbuf_high_watermark=sys.maxsize,
            log_socket_errors=False,
            # Django reads X-Forwarded-Proto only behind a trusted proxy, and no other of these headers
            clear_untrusted_proxy_headers=False,
            ident=None,
        )
        adjustments.socket_options = [*adjustments.socket_options, (socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)]
        info = (sock.family, sock.type, sock.proto, sock.getsockname())
        return Server(
            self.wsgi, connections, True, sock, dispatcher=dispatcher, adj=adjustments, bind_socket=False, sockinfo=info
        )


def _channels(server: Server) -> list[Channel]:
    return list(server.active_channels.values())


def _connection_limit() -> int:
    """The number of connections that the limit of open files permits, at most CONNECTIONS."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS * FILES_EACH + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max((wanted - OTHER_FILES) // FILES_EACH, OTHER_FILES)


def _with_limit(adj: Adjustments, limit: int) -> Adjustments:
    changed = Adjustments.__new__(type(adj))
    changed.__dict__.update(adj.__dict__, max_request_body_size=limit + 1)
    return changed
