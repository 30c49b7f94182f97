"""HTTP as it passes the loopback interface, with the kernel's times: what a server needed, its queues included.

A request's time runs from its last byte's arrival at the server's socket to the last byte of the response. Neither a
server that has not yet accepted the connection nor a client that is slow to read its answer can hide or add to it, but
for an answer longer than the client's socket holds. Needs root.
"""

import ctypes
import re
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

SO_ATTACH_FILTER, SO_TIMESTAMPNS, SOL_PACKET, PACKET_STATISTICS = 26, 35, 263, 6
# of each packet: Ethernet, IPv4 and TCP header, and the first line of a request
KEPT_BYTES = 320
BUFFER_BYTES = 32 << 20
REQUEST = re.compile(rb"^(GET|HEAD|POST|PUT|PATCH|DELETE) (\S+)")


@dataclass
class Exchange:
    """One request and its response; `seconds` is None while there is none."""

    name: str
    arrived: float
    answered: float | None = None

    @property
    def seconds(self) -> float | None:
        return None if self.answered is None else self.answered - self.arrived


@dataclass
class Wire:
    """Watches one port of 127.0.0.1; `name_of` gives a call its name by method and path."""

    port: int
    name_of: Callable[[str, str], str]
    exchanges: list[Exchange] = field(default_factory=list)
    # packets that the kernel could not keep: then nothing here can be trusted
    lost: int = 0
    _open: dict[int, Exchange] = field(default_factory=dict)

    def __enter__(self) -> "Wire":
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, 33, BUFFER_BYTES)  # SO_RCVBUFFORCE
        self._program = _filter(self.port)
        self._socket.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, _program_header(self._program))
        self._socket.bind(("lo", 0))
        self._socket.settimeout(0.2)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        _, self.lost = struct.unpack("II", self._socket.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
        self._socket.close()

    def _watch(self) -> None:
        while True:
            try:
                packet, ancillary, _, address = self._socket.recvmsg(KEPT_BYTES, 64)
            except TimeoutError:
                # what has passed is read to its end
                if self._stopping.is_set():
                    return
                continue
            # the loopback shows each packet as it leaves and as it arrives
            if address[2] == socket.PACKET_OUTGOING or not ancillary:
                continue
            seconds, nanoseconds = struct.unpack("qq", ancillary[0][2])
            self.saw(packet, seconds + nanoseconds / 1e9)

    def saw(self, packet: bytes, at: float) -> None:
        """Take note of one packet, with its Ethernet header, that arrived at that moment."""
        ip = 14
        header_bytes = 4 * (packet[ip] & 0x0F)
        (total_bytes,) = struct.unpack_from("!H", packet, ip + 2)
        tcp = ip + header_bytes
        source, target = struct.unpack_from("!HH", packet, tcp)
        payload = tcp + 4 * (packet[tcp + 12] >> 4)
        # the length is 0 where it is too long for its field
        if 0 < total_bytes <= payload - ip:
            return
        if target == self.port:
            self._request(source, packet[payload:], at)
        elif (exchange := self._open.get(target)) is not None:
            exchange.answered = at

    def _request(self, client: int, head: bytes, at: float) -> None:
        exchange = self._open.get(client)
        if exchange is not None and exchange.answered is None:
            # the rest of a request
            exchange.arrived = at
            return
        found = REQUEST.match(head)
        name = "?" if found is None else self.name_of(found.group(1).decode(), found.group(2).decode("latin-1"))
        exchange = self._open[client] = Exchange(name, at)
        self.exchanges.append(exchange)


def _filter(port: int) -> ctypes.Array[ctypes.c_char]:
    """A classic BPF program: TCP over IPv4 without options, from or to the port."""
    load_half, load_byte, equal, give = 0x28, 0x30, 0x15, 0x06
    steps = [
        (load_byte, 0, 0, 14 + 9),
        (equal, 0, 4, socket.IPPROTO_TCP),
        (load_half, 0, 0, 14 + 20),
        (equal, 3, 0, port),
        (load_half, 0, 0, 14 + 22),
        (equal, 1, 0, port),
        (give, 0, 0, 0),
        (give, 0, 0, KEPT_BYTES),
    ]
    return ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))


def _program_header(program: ctypes.Array[ctypes.c_char]) -> bytes:
    return struct.pack("HL", len(program) // 8, ctypes.addressof(program))
