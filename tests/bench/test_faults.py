"""The fault bench in small: nothing is lost, and what is lost, doubled or changed on purpose is found."""

import asyncio
import json
import random
import re
import time
import uuid
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from bench.faults import runner, stored
from bench.faults.chaos import Chaos, Kill, NotWellError
from bench.faults.ledger import Deed, Ledger, Stored, Verdict, judge
from bench.faults.participant import GaveUpError
from bench.faults.proxy import FATES, Plant, Proxy, Request
from bench.faults.report import Outcome, table
from bench.faults.runner import Bench, Options, run
from bench.faults.visitor import CYCLE

VOTE, PLAY = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
GIVEN = [Deed("s", place, {"score": place}, "c", f"v{place}") for place in (1, 2, 3)]
HELD = [Stored(f"v{place}", "s", place, {"score": place}, "c") for place in (1, 2, 3)]
RECEIPTS = [deed.id or "" for deed in GIVEN]
# all that the bench can do to a browser but what a person does to it, in two of them
MISHAPS = (
    ("kill web", "kill worker", "long offline"),
    ("kill Valkey", "kill PostgreSQL", "closed laptop in a film"),
)


def faults_of(held: list[Stored]) -> dict[str, int]:
    """What is wrong, by name."""
    verdict = judge(GIVEN, RECEIPTS, held)
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
    assert faults_of(stored) == wrong


def test_a_click_is_compared_by_its_place_alone() -> None:
    clicks = [Deed("s", 1, {"score": 1}), Deed("s", 2, {"score": 5})]
    verdict = judge(clicks, [], HELD[:2])
    assert (verdict.lost, verdict.different) == (0, 1)


def test_what_a_browser_says_of_a_play_is_compared_where_it_is_known() -> None:
    evidence = {"media_ms": 4000.0}
    stored = [Stored("p", "s", 1, {"replay": False, "evidence": evidence})]
    wrong = [Stored("p", "s", 1, {"replay": False, "evidence": None})]
    for data in ({"replay": False}, {"replay": False, "evidence": evidence}):
        assert judge([Deed("s", 1, data)], [], stored).ok
    assert judge([Deed("s", 1, {"replay": False, "evidence": evidence})], [], wrong).different == 1
    assert judge([Deed("s", 1, {"replay": True})], [], stored).different == 1


def test_the_ledger_is_written_before_anything_else_happens(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.did("vote", GIVEN[0])
    ledger.received("vote", "v1", "now")
    lines = ledger.path.read_text().splitlines()
    assert [line.split('"')[3] for line in lines] == ["vote", "received"]


def test_a_request_that_gets_a_false_answer_gets_it_at_each_repeat() -> None:
    plant = Plant(lose=1, lose_plays=1)
    deeds = [("vote", "a"), ("vote", "b"), ("play", "c"), ("vote", "a"), None]
    assert [plant.loses(deed) for deed in deeds] == [True, False, True, True, False]
    assert not plant.changes(("vote", "a"))


def vote_request(**body: Any) -> Request:
    head = f"PUT /api/session/votes/{VOTE} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
    return Request(head.encode(), b"").with_body({"session_id": "s", "position": 1} | body)


def test_the_play_that_travels_with_a_vote_is_told_from_it() -> None:
    play = {"id": PLAY, "replay": False, "evidence": {"media_ms": 1}}
    both = vote_request(data={"score": 7}, play=play)
    assert (both.deed, both.play) == (("vote", VOTE), ("play", PLAY))
    assert both.without_play().play is None
    alone = both.play_alone()
    assert (alone.deed, alone.play) == (("play", PLAY), ("play", PLAY))
    assert json.loads(alone.body) == {"session_id": "s", "position": 1, "replay": False, "evidence": {"media_ms": 1}}
    assert int(alone.head.split(b"Content-Length: ")[1].split(b"\r")[0]) == len(alone.body)
    assert vote_request(data={}, play=None).play is None


@pytest.mark.parametrize(
    ("plant", "passed_on"),
    [
        (Plant(), ["vote with play"]),
        (Plant(lose=1), ["play"]),
        (Plant(lose_plays=1), ["vote"]),
        (Plant(lose=1, lose_plays=1), []),
        (Plant(change=1), ["changed vote with changed play"]),
    ],
)
def test_a_lie_about_a_vote_is_none_about_its_play(plant: Plant, passed_on: list[str]) -> None:
    request = vote_request(data={"score": 7}, play={"id": PLAY, "replay": False, "evidence": {"media_ms": 1}})
    assert asyncio.run(_passed_on(request, plant)) == (passed_on, True)


async def _passed_on(request: Request, plant: Plant) -> tuple[list[str], bool]:
    """What reaches the platform, and whether the participant gets an answer."""
    arrived: list[str] = []
    proxy = Proxy(("", 0), random.Random(1), re.compile(b"nothing"), 0, plant)

    async def forward(passed: Request, **_: Any) -> bytes:
        body = json.loads(passed.body)
        if passed.deed == ("play", PLAY):
            arrived.append("play")
        else:
            score = "vote" if body["data"]["score"] == 7 else "changed vote"
            play = body["play"] and ("play" if body["play"]["evidence"]["media_ms"] == 1 else "changed play")
            arrived.append(f"{score} with {play}" if play else score)
        return b"receipt"

    class Answer:
        text = b""

        def write(self, data: bytes) -> None:
            self.text += data

    proxy._forward = forward  # type: ignore[method-assign]
    answer = Answer()
    await proxy._meet(request, answer)  # type: ignore[arg-type]
    return arrived, bool(answer.text)


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


def faults_in(outcome: Outcome) -> dict[str, Any]:
    """What is wrong in the worst of all arms, per source: nothing where all is well."""
    found: dict[str, Any] = {}
    for arm in outcome.arms:
        for source, verdict in arm.against.items():
            for name in ("lost", "doubled", "different", "unknown"):
                if number := getattr(verdict, name):
                    found.setdefault(source, {})[name] = number
    return found


def test_sessions_that_did_not_play_their_films_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    played = {"whole": "no", "left": "yes", "unknown": "unknown"}
    rows = [{"session_id": name, "findings": [{"rule": "R1", "broken": broken}]} for name, broken in played.items()]
    monkeypatch.setattr(stored, "_researcher", lambda _: nullcontext())
    monkeypatch.setattr(stored, "_all_pages", lambda *_: rows)
    assert stored.not_played(GonePlatform(), "study", played) == ["left", "unknown"]  # type: ignore[arg-type]


class GoneSupervisor:
    """Of a platform that has no services any more."""

    pid = 2**22 + 1


class GonePlatform:
    process = GoneSupervisor()
    url = "http://127.0.0.1:9"


class GoneParticipant:
    def __init__(self, *_: object) -> None:
        """Nobody."""

    async def walk(self) -> None:
        raise GaveUpError("nobody is there")


def test_a_platform_that_does_not_come_back_ends_the_bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chaos = Chaos(GonePlatform(), wait_s=0.5)  # type: ignore[arg-type]
    with pytest.raises(NotWellError, match="no worker under"):
        chaos.kill("worker")
    monkeypatch.setattr(chaos, "kill", lambda service: Kill(service, 1, time.monotonic()))

    # over HTTP: the others, who wait for the platform, are not waited for
    study = {"slug": "none", "sha256": ""}
    monkeypatch.setattr(runner, "Participant", GoneParticipant)
    bench = Bench(Options(sessions=4, kills=1), GonePlatform(), chaos, tmp_path)  # type: ignore[arg-type]
    monkeypatch.setattr(bench, "_publish", lambda *_, **__: study)
    with pytest.raises(NotWellError, match="after kill -9 of web"):
        bench.http()

    # in browsers: the visitor went on meanwhile
    def visit(_numbers: list[int], make: Any) -> list[Any]:
        make(None, 0, tmp_path).kill("Valkey")
        return []

    monkeypatch.setattr(runner, "visit", visit)
    with pytest.raises(NotWellError, match="after kill -9 of Valkey"):
        bench.browsers()


@pytest.mark.soak
@pytest.mark.services
@pytest.mark.browser
def test_no_vote_is_lost_or_doubled_under_faults() -> None:
    """Kills at random moments; `flow/test_killed.py` kills the same services at named points with every change."""
    sessions, browsers, kills = 120, 6, 5
    outcome = run(Options(sessions, browsers, kills, offline_s=10, asleep_s=5, mishaps=MISHAPS))
    assert outcome.ok, "\n" + table(outcome)
    assert faults_in(outcome) == {}
    assert [arm.receipts for arm in outcome.arms] == [sessions * 5, browsers * 3]
    given = [{source: verdict.given for source, verdict in arm.besides.items()} for arm in outcome.arms]
    assert given == [
        {"plays": sessions * 5, "control answers": sessions},
        {"plays": browsers * 3, "control answers": browsers},
    ]
    # the faults were there: so many kills of each service over HTTP, and one under every second browser
    assert {service: len(seconds) for service, seconds in outcome.back_s.items()} == dict.fromkeys(
        ("web", "worker", "Valkey", "PostgreSQL"), kills + browsers // 2
    )
    assert outcome.disturbed["reset after the request"] > 0
    assert outcome.commit == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


def test_each_mishap_of_the_small_bench_is_one_of_the_whole() -> None:
    assert {mishap for mishaps in MISHAPS for mishap in mishaps} < set(CYCLE)


# proves the bench, and so it runs where the bench does
@pytest.mark.soak
@pytest.mark.services
def test_lies_between_participants_and_platform_are_found() -> None:
    outcome = run(Options(sessions=6, browsers=0, kills=0, think_s=0, lose=2, lose_plays=12, change=1, double=1))
    assert not outcome.ok
    wrong = {"lost": 2, "doubled": 1, "different": 1}
    plays = wrong | {"lost": 12}
    assert faults_in(outcome) == {"votes in the database": wrong, "votes in the export": wrong, "plays": plays}
    assert outcome.arms[0].against["votes in the database"].lost_after_receipt == 2
    assert outcome.arms[0].against["plays"].lost_after_receipt == 12
    # twelve are those of three sessions at least, two of which lack a vote and get no code
    assert any("(R1)" in fault for fault in outcome.faults)
    assert "NOT ALL KEPT." in table(outcome)
