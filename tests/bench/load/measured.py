"""One run of the generator against a server that somebody else has started, with what it cost the server."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.load.caller import Names, name_of
from bench.load.costs import memory_mib, processor_seconds
from bench.load.generator import Orders
from bench.load.wire import Wire

TESTS = Path(__file__).resolve().parents[2]
GENERATOR = (sys.executable, "-m", "bench.load.generator")
# beyond its own limit
GRACE_S = 120.0


@dataclass(frozen=True)
class Run:
    """Seconds by the name of the call. `server_s`: by the wire; `generator_s`: by the generator, which is busy, too."""

    seconds: float
    server_s: dict[str, list[float]]
    generator_s: dict[str, list[float]]
    # requests that had no answer when the generator ended
    unanswered: int
    # processor seconds and MiB of each service
    processor_s: dict[str, float]
    memory_mib: dict[str, float]
    generator_processor_s: float
    begun_s: list[float]
    saved: list[str]
    finished: int
    busy: dict[str, int]
    repeated: int
    errors: list[str]

    @property
    def requests(self) -> int:
        return sum(map(len, self.server_s.values()))

    @property
    def core_seconds(self) -> float:
        return sum(self.processor_s.values())

    @property
    def all_s(self) -> list[float]:
        return [seconds for found in self.server_s.values() for seconds in found]


def measure(prepare: Callable[[], Orders], url: str, services: dict[str, list[int]], names: Names) -> Run:
    """Run the generator to its end; what `prepare` does for its orders belongs to the measured time."""
    port = urlsplit(url).port or 80
    with Wire(port, lambda method, path: name_of(names, method, path)) as wire:
        before, began = processor_seconds(services), time.monotonic()
        notes = generate(prepare())
        seconds = time.monotonic() - began
        used = {name: after - before[name] for name, after in processor_seconds(services).items()}
    generator_s: dict[str, list[float]] = {}
    for name, call_s, _ in notes["calls"]:
        generator_s.setdefault(name, []).append(call_s)
    server_s: dict[str, list[float]] = {}
    for exchange in wire.exchanges:
        if exchange.seconds is not None:
            server_s.setdefault(exchange.name, []).append(exchange.seconds)
    if wire.lost:
        notes["errors"].append(f"the wire's clock missed {wire.lost} packets")
    return Run(
        seconds=seconds,
        server_s=server_s,
        generator_s=generator_s,
        unanswered=sum(exchange.seconds is None for exchange in wire.exchanges),
        processor_s=used,
        memory_mib=memory_mib(services),
        generator_processor_s=notes["processor_s"],
        **{name: notes[name] for name in ("begun_s", "saved", "finished", "busy", "repeated", "errors")},
    )


def generate(orders: Orders) -> dict[str, Any]:
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    with subprocess.Popen(GENERATOR, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            output, _ = process.communicate(json.dumps(asdict(orders)).encode(), timeout=orders.limit_s + GRACE_S)
        finally:
            process.kill()
    if process.returncode != 0:
        raise SystemExit(f"The generator ended with status {process.returncode}.")
    notes: dict[str, Any] = json.loads(output)
    return notes
