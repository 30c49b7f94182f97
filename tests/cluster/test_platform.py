"""Two hosts serve one study: web servers and workers are killed and updated while people vote; no vote is lost."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.faults import stored
from bench.faults.ledger import Ledger, judge
from bench.faults.runner import SAMPLE
from compose.proxy import PROGRAM

from cluster import platform_hosts
from cluster.platform_hosts import Hosts
from cluster.voting import GIVEN, Crowd, Receipts, study_text, until, vote

pytestmark = [
    pytest.mark.services,
    pytest.mark.stores,
    pytest.mark.skipif(PROGRAM is None, reason="needs nginx"),
]


@pytest.fixture(params=[24, pytest.param(200, marks=pytest.mark.soak)])
def people(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    try:
        with platform_hosts.running(folder) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def published(hosts: Hosts, folder: Path, people: int) -> dict[str, Any]:
    file = folder / "study.yaml"
    file.write_text(study_text(people), encoding="utf-8")
    study = hosts.platform.publish(SAMPLE, file)
    return {"sha256": study["sha256"], "slug": study["fieldings"][0]["slug"]}


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
    study, given = published(hosts, tmp_path, people), people * GIVEN
    ledger = Ledger(tmp_path / "ledger.jsonl")

    async def kill(receipts: Receipts) -> None:
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

    assert asyncio.run(vote(Crowd(hosts.platform.url, study["slug"], people), ledger, kill)) == []
    assert_nothing_lost(hosts, study, ledger, given=given)


def test_a_rolling_update_refuses_nobody(hosts: Hosts, people: int, tmp_path: Path) -> None:
    study, given = published(hosts, tmp_path, people), people * GIVEN
    ledger = Ledger(tmp_path / "ledger.jsonl")

    async def update(receipts: Receipts) -> None:
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
    assert asyncio.run(vote(Crowd(hosts.platform.url, study["slug"], people), ledger, update, refused)) == []
    assert refused == []
    assert_nothing_lost(hosts, study, ledger, given=given)
