"""What the progress bar is told: the bytes that are missing, and each of them once, however often it was tried."""

from pathlib import Path

import pytest

from eyelevel import platform
from eyelevel.platform import Platform
from eyelevel.push.read_batch import read_batch
from eyelevel.push.send import send

from .platform_server import TOKEN, State


class Counter:
    def __init__(self) -> None:
        self.totals: list[int] = []
        self.sent_bytes = 0
        self.checks: list[tuple[int, int]] = []

    def begin(self, total_bytes: int) -> None:
        self.totals.append(total_bytes)

    def sent(self, count_bytes: int) -> None:
        self.sent_bytes += count_bytes

    def checked(self, count: int, total: int) -> None:
        self.checks.append((count, total))


@pytest.mark.parametrize("faults", [[], [("PUT", "cut"), ("PUT", "busy"), ("PUT", "cut")]])
def test_bytes_of_broken_tries_are_taken_back(
    server: State, batch_dir: Path, faults: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "BACK_OFF_S", (0.0,) * 3)
    server.faults = list(faults)
    batch, counter = read_batch(batch_dir), Counter()
    with Platform(server.url, TOKEN) as client:
        sent_bytes = send(batch, client, counter)
    total_bytes = sum(blob.size_bytes for blob in batch.blobs.values())
    assert (sent_bytes, counter.totals, counter.sent_bytes) == (total_bytes, [total_bytes], total_bytes)


def test_pauses_grow_and_are_reported(server: State, batch_dir: Path) -> None:
    pauses: list[float] = []
    said: list[str] = []
    server.faults = [("POST", "busy")] * 3
    with Platform(server.url, TOKEN, sleep=pauses.append, say=said.append) as client:
        send(read_batch(batch_dir), client, Counter())
    assert pauses == [0.5, 1.0, 2.0]
    assert said[0] == "The platform is busy. Trying again in 0.5 s."


def test_the_takes_and_videos_that_the_platform_has_checked_are_reported(server: State, batch_dir: Path) -> None:
    server.checks = [0, 3, 37]
    pauses: list[float] = []
    counter = Counter()
    with Platform(server.url, TOKEN, sleep=pauses.append) as client:
        send(read_batch(batch_dir), client, counter)
    assert counter.checks == [(0, 38), (3, 38), (37, 38)]
    assert pauses == [0.5, 0.5, 0.5]


def test_a_worker_that_checks_nothing_is_mentioned_once_per_standstill(server: State, batch_dir: Path) -> None:
    server.checks = [0] * 40 + [1] * 20 + [2] * 31
    said: list[str] = []
    with Platform(server.url, TOKEN, sleep=lambda _: None, say=said.append) as client:
        send(read_batch(batch_dir), client, Counter())
    assert [sentence.partition(":")[0] for sentence in said] == ["The platform has checked nothing for 15 s"] * 2
