"""The generator, a process of its own: takes its orders as JSON from standard input, and prints its notes as JSON.

Participants arrive at random moments within `arrive_s`. Whoever has not finished by `limit_s` is stopped, which is an
error.
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Protocol

from bench.load.caller import Caller, FailedError, Notes, client_of
from bench.load.person import NAMES as PERSON
from bench.load.person import Person
from bench.otree.subject import NAMES as SUBJECT
from bench.otree.subject import Subject


@dataclass(frozen=True)
class Orders:
    """`peer` is eyelevel or otree; `arguments` are further fields of that peer's participant."""

    peer: str
    url: str
    participants: int
    arrive_s: float
    think_s: float
    seed: int
    limit_s: float
    arguments: dict[str, Any]


class Pace(Protocol):
    """What the options of every bench with this generator say."""

    participants: int
    arrive_s: float
    think_s: float
    seed: int
    limit_s: float


def orders(pace: Pace, peer: str, url: str, arguments: dict[str, Any]) -> Orders:
    names = ("participants", "arrive_s", "think_s", "seed", "limit_s")
    return Orders(peer=peer, url=url, arguments=arguments, **{name: getattr(pace, name) for name in names})


def walker(orders: Orders, *, began: float) -> Callable[[Caller, Random], Awaitable[None]]:
    arguments: dict[str, Any] = orders.arguments | {"think_s": orders.think_s, "began": began}
    if orders.peer == "otree":
        return lambda caller, draw: Subject(caller=caller, draw=draw, **arguments).walk()
    # JSON has no numbers as keys
    arguments["lengths_ms"] = {int(size): length for size, length in arguments["lengths_ms"].items()}
    return lambda caller, draw: Person(caller=caller, draw=draw, **arguments).walk()


async def run(orders: Orders) -> Notes:
    notes = Notes()
    began = time.monotonic()
    walk = walker(orders, began=began)
    names = SUBJECT if orders.peer == "otree" else PERSON
    arrivals = Random(orders.seed)

    async def arrive(number: int, at_s: float) -> None:
        draw = Random(f"{orders.seed}/{number}")
        await asyncio.sleep(at_s)
        async with client_of(orders.url) as client:
            try:
                await walk(Caller(client, names, notes, draw), draw)
            except (FailedError, KeyError, ValueError, IndexError) as error:
                notes.errors.append(f"participant {number}: {error or type(error).__name__}")

    walks = [arrive(number, arrivals.uniform(0, orders.arrive_s)) for number in range(orders.participants)]
    tasks = [asyncio.create_task(awaitable) for awaitable in walks]
    _, late = await asyncio.wait(tasks, timeout=orders.limit_s)
    for task in late:
        task.cancel()
    if late:
        notes.errors.append(f"{len(late)} participants had not finished after {orders.limit_s:.0f} s")
    await asyncio.gather(*late, return_exceptions=True)
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
    return notes


def main() -> None:
    orders = Orders(**json.load(sys.stdin))
    notes = asyncio.run(run(orders))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps(asdict(notes) | {"processor_s": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    main()
