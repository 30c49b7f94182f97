"""Two hosts serve one study: web servers and workers are killed and updated while people vote; no vote is lost."""

import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from bench.faults import stored
from bench.faults.ledger import Ledger, judge
from bench.faults.participant import GaveUpError, Participant
from bench.faults.runner import DEMO, LENGTHS_MS, SAMPLE
from compose.proxy import PROGRAM

from cluster import platform_hosts
from cluster.platform_hosts import Hosts

pytestmark = [
    pytest.mark.services,
    pytest.mark.stores,
    pytest.mark.skipif(PROGRAM is None, reason="needs nginx"),
]

TRIALS = {"rate": 3, "compare": 2}
# between two answers of a person, on average
THINK_S = 10.0
VOTING_S = 240
# a call that takes longer hangs; on a busy machine, a film takes longer than people of the bench wait
HANGING_S = 30.0


@pytest.fixture(params=[60, pytest.param(200, marks=pytest.mark.soak)])
def people(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    try:
        with platform_hosts.running(folder) as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def published(hosts: Hosts, folder: Path, people: int) -> dict[str, Any]:
    study = DEMO | {"name": "hosts", "quota": {"sessions": 2 * people}, "session": {"resume": "resume"}}
    study["trials"] = [{"kind": kind, "count": count, "training": 0} for kind, count in TRIALS.items()]
    file = folder / "study.yaml"
    file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    told = hosts.platform.publish(SAMPLE, file)
    return {"sha256": told["sha256"], "slug": told["fieldings"][0]["slug"], "people": people}


async def until(receipts: Callable[[], int], count: int) -> None:
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


async def vote(
    hosts: Hosts,
    study: dict[str, Any],
    ledger: Ledger,
    meanwhile: Callable[[Callable[[], int]], Awaitable[None]],
    refused: list[str] | None = None,
) -> list[str]:
    """Let all people vote at once, and something else happen; sentences of those who could not end.

    `refused` gets requests that broke off or were answered with 5xx; participants send those again.
    """
    transport = Watched([] if refused is None else refused)
    unfinished: list[str] = []

    async def walk(number: int) -> None:
        client = httpx.AsyncClient(base_url=hosts.platform.url, transport=transport, trust_env=False)
        draw = random.Random(f"hosts/{number}")
        person = Participant(client, study["slug"], ledger, LENGTHS_MS, draw, THINK_S, timeout_s=HANGING_S)
        try:
            await person.walk()
        except (GaveUpError, KeyError, ValueError) as error:
            unfinished.append(str(error) or type(error).__name__)

    await asyncio.gather(meanwhile(lambda: len(ledger.receipts["vote"])), *(walk(n) for n in range(study["people"])))
    return unfinished


def assert_nothing_lost(hosts: Hosts, study: dict[str, Any], ledger: Ledger, *, given: int) -> None:
    votes = ledger.deeds["vote"]
    assert len(votes) == given
    for found in (
        stored.in_database(hosts.platform, study["sha256"]),
        stored.in_export(hosts.platform, study["sha256"], votes=len(votes)),
    ):
        verdict = judge(votes, ledger.receipts["vote"], found)
        assert verdict.ok, verdict
        assert verdict.stored == len(votes)
    assert stored.codes_in_database(hosts.platform) == ledger.codes
    # uploads and copies are gone from both disks, and all else is in the store
    assert hosts.files() == {"a": [], "b": []}


def test_a_web_server_and_a_worker_are_killed_while_people_vote(hosts: Hosts, people: int, tmp_path: Path) -> None:
    study, given = published(hosts, tmp_path, people), people * sum(TRIALS.values())
    ledger = Ledger(tmp_path / "ledger.jsonl")

    async def kill(receipts: Callable[[], int]) -> None:
        kills = (("a", "web"), ("b", "worker"), ("b", "web"), ("a", "worker"))
        for number, (host, name) in enumerate(kills, start=1):
            await until(receipts, number * given // (len(kills) + 2))
            service = hosts.service(host, name)
            service.kill()
            service.start()
            if name == "web":
                # the other one serves alone for a while
                await asyncio.to_thread(hosts.wait_until_web_answers, host)
        assert receipts() < given, "all of it happened while people voted"

    assert asyncio.run(vote(hosts, study, ledger, kill)) == []
    assert_nothing_lost(hosts, study, ledger, given=given)


def test_a_rolling_update_refuses_nobody(hosts: Hosts, people: int, tmp_path: Path) -> None:
    study, given = published(hosts, tmp_path, people), people * sum(TRIALS.values())
    ledger = Ledger(tmp_path / "ledger.jsonl")

    async def update(receipts: Callable[[], int]) -> None:
        for number, host in enumerate(("a", "b"), start=1):
            await until(receipts, number * given // 4)
            service = hosts.service(host, "web")
            await asyncio.to_thread(hosts.front.leave_out, host)
            await asyncio.to_thread(service.stop)
            service.start()
            await asyncio.to_thread(hosts.wait_until_web_answers, host)
            await asyncio.to_thread(hosts.front.leave_out)
        assert receipts() < given, "all of it happened while people voted"

    refused: list[str] = []
    assert asyncio.run(vote(hosts, study, ledger, update, refused)) == []
    assert refused == []
    assert_nothing_lost(hosts, study, ledger, given=given)
