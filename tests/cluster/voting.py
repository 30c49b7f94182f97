"""People who vote at once over HTTP at a study on several hosts, while something happens to the hosts."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx
import yaml
from bench.faults.ledger import Ledger
from bench.faults.participant import GaveUpError, Participant
from bench.faults.runner import DEMO, LENGTHS_MS

TRIALS = {"rate": 3, "compare": 2}
GIVEN = sum(TRIALS.values())
VOTING_S = 240
# a call that takes longer hangs; on a busy machine, a film takes longer than people of the bench wait
HANGING_S = 30.0
# a number of votes that have a receipt
Receipts = Callable[[], int]


def study_text(people: int) -> str:
    """The demo's study with fewer trials, and with places for so many people."""
    study = DEMO | {"name": "hosts", "quota": {"sessions": 2 * people}, "session": {"resume": "resume"}}
    study["trials"] = [{"kind": kind, "count": count, "training": 0} for kind, count in TRIALS.items()]
    return yaml.safe_dump(study, allow_unicode=True)


async def until(receipts: Receipts, count: int) -> None:
    """Until so many votes have a receipt."""
    end = time.monotonic() + VOTING_S
    while receipts() < count:
        assert time.monotonic() < end, f"{receipts()} of {count} votes"
        await asyncio.sleep(0.05)


class Watched(httpx.AsyncHTTPTransport):
    """Notes what failed."""

    def __init__(self, refused: list[str]) -> None:
        super().__init__(limits=httpx.Limits(max_keepalive_connections=0))
        self._refused = refused

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = await super().handle_async_request(request)
        except httpx.TransportError as error:
            self._refused.append(f"{request.method} {request.url.path}: {type(error).__name__}")
            raise
        if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
            self._refused.append(f"{request.method} {request.url.path}: {answer.status_code}")
        return answer


@dataclass(frozen=True)
class Crowd:
    """People who open one link of the platform at once; `think_s` is the mean time between two answers of a person."""

    url: str
    slug: str
    people: int
    think_s: float = 10.0


async def vote(
    crowd: Crowd,
    ledger: Ledger,
    meanwhile: Callable[[Receipts], Awaitable[None]],
    refused: list[str] | None = None,
) -> list[str]:
    """Let all people vote at once, and something else happen; sentences of those who could not end.

    `refused` gets requests that broke off or were answered with 5xx; participants send those again.
    """
    transport = Watched([] if refused is None else refused)
    unfinished: list[str] = []

    async def walk(number: int) -> None:
        client = httpx.AsyncClient(base_url=crowd.url, transport=transport, trust_env=False)
        draw = random.Random(f"hosts/{number}")
        person = Participant(client, crowd.slug, ledger, LENGTHS_MS, draw, crowd.think_s, timeout_s=HANGING_S)
        try:
            await person.walk()
        except (GaveUpError, KeyError, ValueError) as error:
            unfinished.append(str(error) or type(error).__name__)

    await asyncio.gather(meanwhile(lambda: len(ledger.receipts["vote"])), *(walk(n) for n in range(crowd.people)))
    return unfinished
