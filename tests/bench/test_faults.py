"""The fault bench in small: nothing is lost, and what is lost, doubled or changed on purpose is found."""

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest
from bench.faults.ledger import Answer, Ledger, Stored, Verdict, judge
from bench.faults.proxy import FATES, Proxy
from bench.faults.report import Outcome, table
from bench.faults.runner import Options, run

GIVEN = [Answer("s", position, {"score": position}, "c", f"v{position}") for position in (1, 2, 3)]
HELD = [Stored(f"v{position}", "s", position, {"score": position}, "c") for position in (1, 2, 3)]
RECEIPTS = [answer.vote_id or "" for answer in GIVEN]


def found(stored: list[Stored]) -> dict[str, int]:
    """What is wrong, by name."""
    verdict = judge(GIVEN, RECEIPTS, stored)
    names = ("lost", "lost_after_receipt", "doubled", "different", "unknown")
    return {name: value for name in names if (value := getattr(verdict, name))}


def test_what_agrees_is_right() -> None:
    assert judge(GIVEN, RECEIPTS, HELD) == Verdict(3, 3, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("stored", "wrong"),
    [
        (HELD[:2], {"lost": 1, "lost_after_receipt": 1}),
        ([*HELD, HELD[0]], {"doubled": 1}),
        ([*HELD, Stored("v9", "s", 1, {"score": 1}, "c")], {"doubled": 1}),
        ([*HELD[:2], Stored("v3", "s", 3, {"score": 7}, "c")], {"different": 1}),
        ([*HELD[:2], Stored("v3", "s", 3, {"score": 3}, "other")], {"different": 1}),
        ([*HELD[:2], Stored("v9", "s", 3, {"score": 3}, "c")], {"different": 1}),
        ([*HELD, Stored("v9", "t", 1, {"score": 1}, "c")], {"unknown": 1}),
        ([*HELD, Stored("v3", "t", 1, {"score": 1}, "c")], {"doubled": 1, "unknown": 1}),
    ],
)
def test_what_differs_is_counted(stored: list[Stored], wrong: dict[str, int]) -> None:
    assert found(stored) == wrong


def test_a_click_is_compared_by_its_place_alone() -> None:
    clicks = [Answer("s", 1, {"score": 1}), Answer("s", 2, {"score": 5})]
    verdict = judge(clicks, [], HELD[:2])
    assert (verdict.lost, verdict.different) == (0, 1)


def test_the_ledger_is_written_before_anything_else_happens(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.answered(GIVEN[0])
    ledger.received("v1", "now")
    lines = ledger.path.read_text().splitlines()
    assert [line.split('"')[3] for line in lines] == ["answered", "received"]


def test_the_proxy_deals_out_every_fate() -> None:
    """A server that counts what arrives whole, behind the proxy; every fate is seen from both sides."""
    arrived, answered = asyncio.run(_through_proxy(400))
    assert set(answered) == {"whole", "broken"}
    # resets before and in the request never arrive, repeats arrive once more
    assert arrived > answered["whole"]
    assert answered["broken"] > 400 * sum(FATES.values()) / 4


async def _through_proxy(calls: int) -> tuple[int, dict[str, int]]:
    arrived = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal arrived
        try:
            await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(4)
        except (asyncio.IncompleteReadError, OSError):
            return
        arrived += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    proxy = Proxy(("127.0.0.1", server.sockets[0].getsockname()[1]), random.Random(1), re.compile(b"PUT"), 0.01)
    await proxy.start()
    outcomes = {"whole": 0, "broken": 0}
    for _ in range(calls):
        reader, writer = await asyncio.open_connection(proxy.HOST, proxy.port)
        try:
            writer.write(b"PUT /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nvote")
            answer = await reader.read(-1)
        except OSError:
            answer = b""
        outcomes["whole" if answer.endswith(b"\r\n\r\nok") else "broken"] += 1
        writer.close()
    await proxy.stop()
    server.close()
    return arrived, outcomes


def told(outcome: Outcome) -> dict[str, Any]:
    """The worst of all arms and sources, per count."""
    verdicts = [verdict for arm in outcome.arms for verdict in arm.against.values()]
    names = ("lost", "doubled", "different", "unknown")
    return {name: max(getattr(verdict, name) for verdict in verdicts) for name in names}


@pytest.mark.services
@pytest.mark.browser
def test_no_vote_is_lost_or_doubled_under_faults() -> None:
    mishaps = ("long offline", "kill PostgreSQL")
    outcome = run(Options(sessions=30, browsers=2, kills=1, offline_s=10, mishaps=mishaps))
    assert outcome.ok, "\n" + table(outcome)
    assert told(outcome) == {"lost": 0, "doubled": 0, "different": 0, "unknown": 0}
    assert [arm.receipts for arm in outcome.arms] == [30 * 5, 2 * 3]
    # the faults were there
    assert {service: len(seconds) for service, seconds in outcome.back_s.items()} == {
        "web": 1,
        "worker": 1,
        "Valkey": 1,
        "PostgreSQL": 2,
    }
    assert outcome.disturbed["reset after the request"] > 0
    assert outcome.commit == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


@pytest.mark.services
def test_lies_between_participants_and_platform_are_found() -> None:
    outcome = run(Options(sessions=6, browsers=0, kills=0, think_s=0, lose=2, change=1, double=1))
    assert not outcome.ok
    assert told(outcome) == {"lost": 2, "doubled": 1, "different": 1, "unknown": 0}
    assert outcome.arms[0].against["database"].lost_after_receipt == 2
    assert "NOT ALL KEPT." in table(outcome)
