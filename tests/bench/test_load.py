"""The load bench in small, and that its clock and its bounds notice what they are there for."""

import asyncio
import json
import socket
import struct
from dataclasses import asdict, replace
from random import Random
from typing import Any

import httpx
import pytest
from bench.load import runner
from bench.load.caller import Caller, Notes, name_of
from bench.load.measured import Run
from bench.load.options import parsed
from bench.load.person import NAMES
from bench.load.report import merged, quantile, table
from bench.load.runner import Options, broken
from bench.load.wire import Wire
from bench.otree.runner import Figures, Outcome, compared, ratio

PORT, CLIENT = 8000, 40000
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


def packet(source: int, target: int, payload: bytes) -> bytes:
    """As it passes the loopback interface."""
    tcp = struct.pack("!HHIIBBHHH", source, target, 0, 0, 5 << 4, 0, 0, 0, 0)
    ip = struct.pack("!BBHHHBBHII", 0x45, 0, 40 + len(payload), 0, 0, 64, socket.IPPROTO_TCP, 0, 0, 0)
    return bytes(12) + b"\x08\x00" + ip + tcp + payload


def test_each_field_is_an_option_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["bench", "--participants", "7", "--think-s", "0.5"])
    assert parsed(Options, prog="bench", doc=None) == Options(participants=7, think_s=0.5)


@pytest.mark.parametrize("wrong", [["--runs", "0"], ["--quota", "2.5"], ["--think-s", "long"], ["--people", "5"]])
def test_an_option_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: list[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bench", *wrong])
    with pytest.raises(SystemExit):
        parsed(Options, prog="bench", doc=None)
    assert wrong[0] in capsys.readouterr().err


def test_the_servers_clock_runs_from_the_requests_last_byte_to_the_answers_last() -> None:
    wire = Wire(PORT, lambda method, path: f"{method} {path}")
    passed = [
        (CLIENT, PORT, b"", 0.0),
        (CLIENT, PORT, b"PUT /a HTTP/1.1\r\n\r\n", 1.0),
        (CLIENT, PORT, b"the body", 2.0),
        (PORT, CLIENT, b"", 2.1),
        (PORT, CLIENT, b"HTTP/1.1 200 OK\r\n\r\n", 2.5),
        (PORT, CLIENT, b"its body", 3.0),
        (CLIENT, PORT, b"", 3.5),
        (CLIENT, PORT, b"GET /b HTTP/1.1\r\n\r\n", 4.0),
        (CLIENT + 1, PORT, b"GET /c HTTP/1.1\r\n\r\n", 4.5),
        (PORT, CLIENT, b"HTTP/1.1 200 OK\r\n\r\n", 5.0),
    ]
    for source, target, payload, at in passed:
        wire.saw(packet(source, target, payload), at)
    seen = [(exchange.name, exchange.seconds) for exchange in wire.exchanges]
    assert seen == [("PUT /a", 1.0), ("GET /b", 1.0), ("GET /c", None)]


def test_an_answer_429_is_repeated_and_written_down() -> None:
    answers = [httpx.Response(429, headers={"Retry-After": "0"}), httpx.Response(200)]
    notes = Notes()

    async def begin() -> httpx.Response:
        transport = httpx.MockTransport(lambda _: answers.pop(0))
        async with httpx.AsyncClient(transport=transport, base_url="http://study") as client:
            return await Caller(client, [(r"POST ", "begin")], notes, Random(1)).call("POST", "/sessions")

    assert asyncio.run(begin()).status_code == 200
    assert json.loads(json.dumps(asdict(notes)))["busy"] == {"begin": 1}


def test_calls_have_names() -> None:
    lines = [
        ("GET", "/clips/x"),
        ("PUT", "/api/session/votes/1"),
        ("POST", "/api/participate/a/sessions"),
        ("GET", "/"),
    ]
    assert [name_of(NAMES, *line) for line in lines] == ["clip", "vote", "begin", "GET /"]


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.99, 99), (0.999, 100), (0.0, 1)])
def test_a_quantile_is_a_value_that_was_seen(share: float, value: int) -> None:
    assert quantile(range(1, 101), share) == value


def done(**changed: Any) -> Run:
    """A run that keeps every bound."""
    kept = Run(
        seconds=60.0,
        server_s={"vote": [0.1, 0.2]},
        generator_s={"vote": [0.1, 0.2]},
        unanswered=0,
        processor_s={"web": 1.0, "PostgreSQL": 1.0},
        memory_mib={"web": 100.0},
        generator_processor_s=1.0,
        begun_s=[1.0, 2.0],
        saved=["a", "b"],
        finished=2,
        busy={},
        repeated=0,
        errors=[],
    )
    return replace(kept, **changed)


def test_a_run_that_keeps_every_bound_is_good() -> None:
    assert broken(done(), {"a", "b"}, Options(participants=2), DURABLE) == []


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"errors": ["participant 1: vote: 500"]}, "error: participant 1: vote: 500"),
        ({"unanswered": 3}, "3 requests had no answer"),
        ({"begun_s": [1.0]}, "only 1 of 2 participants began"),
        ({"begun_s": [1.0, 130.0]}, "the last participant began after 130 s; the bound is 120 s"),
        ({"finished": 1}, "only 1 of 2 participants finished"),
        ({"server_s": {"vote": [0.1, 2.0]}}, "p99.9 by the server's clock is 2.00 s; the bound is 2 s"),
        ({"saved": ["a"]}, "1 votes were sent, and 2 are stored"),
    ],
)
def test_each_broken_bound_is_reported(changed: dict[str, Any], sentence: str) -> None:
    assert broken(done(**changed), {"a", "b"}, Options(participants=2), DURABLE) == [sentence]


def test_a_database_that_does_not_write_to_disk_is_reported() -> None:
    assert len(broken(done(), {"a", "b"}, Options(participants=2), DURABLE | {"fsync": "off"})) == 1


def test_the_figures_are_counted_for_a_second_of_processor_time() -> None:
    assert "1.0 requests and 1.0 saved answers per core-second" in table(done())


def test_runs_are_merged_into_one() -> None:
    both = merged([done(), done(server_s={"vote": [0.3], "clip": [0.4]}, memory_mib={"web": 120.0}, errors=["late"])])
    assert both.server_s == {"vote": [0.1, 0.2, 0.3], "clip": [0.4]}
    assert both.saved == ["a", "b", "a", "b"]
    assert both.processor_s == {"web": 2.0, "PostgreSQL": 2.0}
    assert (both.seconds, both.finished, both.memory_mib, both.errors) == (120.0, 4, {"web": 120.0}, ["late"])


def outcome(*, answers: list[float], saving_s: float = 0.4, faults: list[str] | None = None) -> Outcome:
    theirs = Figures([20.0, 10.0, 30.0], [50.0] * 3, [0.5] * 100)
    return Outcome(theirs, Figures(answers, [25.0] * 3, [saving_s] * 100), faults or [])


def test_both_are_compared_pair_by_pair() -> None:
    # the machine was slow in the second pair, for both
    found = ratio([20.0, 10.0, 30.0], [30.0, 15.0, 45.0])
    assert (found.mean, found.low, found.high) == pytest.approx((1.5, 1.5, 1.5))
    lines = compared(outcome(answers=[30.0, 15.0, 45.0]))
    assert "saved answers per core-second         18.2      27.3    1.50    1.50 to 1.50   bound" in lines
    assert "p99 of saving, ms                    500.0     400.0    0.80" in lines


def test_the_interval_is_that_of_students_t() -> None:
    found = ratio([1.0, 1.0, 1.0], [1.0, 2.0, 4.0])
    # mean ln 2, standard error ln 2 / sqrt 3, t of 2 degrees of freedom 4.303
    assert (found.mean, found.low, found.high) == pytest.approx((2.0, 0.3574, 11.19), rel=1e-3)


@pytest.mark.parametrize(
    "wrong",
    [
        # better in the mean, but not shown
        outcome(answers=[20.0, 30.0, 35.0]),
        outcome(answers=[19.0, 9.5, 28.0]),
        outcome(answers=[30.0, 15.0, 45.0], saving_s=0.6),
        outcome(answers=[30.0, 15.0, 45.0], faults=["oTree: 5 answers were sent, and 4 are stored"]),
    ],
)
def test_what_is_not_shown_is_no_success(wrong: Outcome) -> None:
    assert outcome(answers=[30.0, 15.0, 45.0]).ok
    assert not wrong.ok


@pytest.mark.root
@pytest.mark.services
def test_five_participants_leave_all_their_votes() -> None:
    options = Options(participants=5, arrive_s=1, trials=3, think_s=0.1, quota=10, limit_s=120)
    (outcome,) = runner.run(options)
    assert outcome.broken == []
    # the study's training comes on top
    assert outcome.stored == len(outcome.run.saved) == len(outcome.run.server_s["vote"]) >= 15
    assert len(outcome.run.begun_s) == 5
    # each request that the generator sent was seen by the server's clock
    assert outcome.run.requests == sum(map(len, outcome.run.generator_s.values()))
    assert outcome.run.processor_s["web"] > 0
