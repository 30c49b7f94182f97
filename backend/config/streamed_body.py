"""The body of an upload, which the thread of its request reads from the connection without buffering it first."""

import io
import select
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# timeout without a byte from the sender
IDLE_S = 60
BUFFER_BYTES = 1 << 18
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class StreamedBody(io.RawIOBase):
    """Bytes that came with the headers, then those of the connection, which the event loop does not read meanwhile.

    Ends early if the sender disconnects or sends nothing for IDLE_S; the reader compares its length with
    Content-Length.
    """

    def __init__(self, sock: socket.socket, *, expects_continue: bool) -> None:
        self._socket = sock
        self._expects_continue = expects_continue
        self._first = b""

    def begins_with(self, data: bytes) -> None:
        self._first = data

    def reader(self) -> io.BufferedReader:
        return io.BufferedReader(self, BUFFER_BYTES)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        if self._first:
            count = min(len(view), len(self._first))
            view[:count], self._first = self._first[:count], self._first[count:]
            return count
        try:
            if self._expects_continue:
                self._expects_continue = False
                self._socket.send(CONTINUE)
            poller = select.poll()
            poller.register(self._socket, select.POLLIN)
            return self._socket.recv_into(view) if poller.poll(IDLE_S * 1000) else 0
        except OSError:
            return 0


def streamed_body(sock: socket.socket, *, expects_continue: bool) -> StreamedBody:
    return StreamedBody(sock, expects_continue=expects_continue)
