"""A worker films job after job: no film is encoded beside a page load, and what cannot begin is void alone."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import pytest

from eyelevel.loads.inside import autogroup
from eyelevel.loads.inside.__main__ import VOID_STATUS, SessionQueue
from eyelevel.loads.inside.filming.watcher import Watcher
from eyelevel.loads.inside.request import Cause, Job, LoadRequest, VoidError
from eyelevel.loads.inside.session import Turn

NO_MASK = '{"contract": "eyelevel/mask/1"}'


def job(folder: Path, *, mask: str | None) -> Job:
    """A job with a request; `mask` is the text of its mask file."""
    folder.mkdir()
    file = folder / "mask.json"
    if mask is not None:
        file.write_text(mask)
    LoadRequest(
        way="tcp", width_px=640, height_px=360, limit_s=1, quiet_ms=400, script="", counted=True, mask=str(file)
    ).write(folder / "request.json")
    return Job(folder, ("no-testbed",))


def queue() -> SessionQueue:
    return SessionQueue(Mock(), Watcher(["no-watcher"]), None)


@pytest.mark.parametrize(("mask", "words"), [(NO_MASK, "mask.json"), ("{", "mask.json"), (None, "mask.json")])
def test_a_mask_that_cannot_be_read_voids_its_run_alone(tmp_path: Path, mask: str | None, words: str) -> None:
    broken = job(tmp_path / "broken", mask=mask)
    assert asyncio.run(queue().film(broken, [])) == VOID_STATUS
    void = json.loads((broken.folder / "void.json").read_text())
    assert void["cause"] == Cause.BROKEN_RESULT
    assert words in void["detail"]


@pytest.mark.parametrize("request_text", ["", "{}", '{"way": 1, "unheard": 2}', "[]"])
def test_a_request_that_cannot_be_read_voids_its_run_alone(tmp_path: Path, request_text: str) -> None:
    broken = job(tmp_path / "broken", mask=NO_MASK)
    (broken.folder / "request.json").write_text(request_text)
    assert asyncio.run(queue().film(broken, [])) == VOID_STATUS


def test_a_next_run_that_cannot_begin_does_not_disturb_the_one_that_is_filmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autogroup, "can_hold_back", lambda: True)
    filming = queue()
    marks: list[str] = []
    filming._begin(Mock(marks=Mock(reach=marks.append)), [job(tmp_path / str(n), mask=NO_MASK) for n in (1, 2)])
    assert (filming._spares, marks) == ([], [])


class Session:
    """Stands in for a capture session; a film takes no time, its encoding some."""

    said: ClassVar[list[str]] = []
    fails: ClassVar[set[str]] = set()

    def __init__(self, job: Job, *_: object) -> None:
        self.job = job
        self.marks = Mock()
        self.opened = asyncio.Event()
        self._encoding: asyncio.Task[None] | None = None

    def say(self, words: str) -> None:
        self.said.append(f"{self.job.folder.name} {words}")

    async def prepare(self, turn: Turn) -> None:
        self.opened.set()
        await turn.near.wait()
        self.say("is near")
        await turn.clear.wait()

    async def film(self, *, nearly: Callable[[], None], over: Callable[[], None]) -> object:
        self.say("films")
        nearly()
        await asyncio.sleep(0.01)
        over()
        self._encoding = asyncio.create_task(self._encode())
        await asyncio.sleep(0)
        if self.job.folder.name in self.fails:
            raise VoidError(Cause.PROCESS_DIED, "Chromium died")
        return None

    async def _encode(self) -> None:
        self.say("encodes")
        try:
            await asyncio.sleep(0.02)
        finally:
            await asyncio.sleep(0.02)
            self.say("encodes no more")

    async def encoded(self) -> None:
        assert self._encoding is not None
        await self._encoding

    async def drop_film(self) -> None:
        if self._encoding is not None:
            self._encoding.cancel()
            await asyncio.wait([self._encoding])

    async def close(self) -> int:
        return 0

    def keep(self, seen: object) -> None:
        pass


@pytest.mark.parametrize("fails", [set(), {"1"}])
def test_the_encoder_of_a_film_has_ended_before_the_next_page_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: set[str]
) -> None:
    monkeypatch.setattr("eyelevel.loads.inside.__main__.CaptureSession", Session)
    monkeypatch.setattr(autogroup, "can_hold_back", lambda: True)
    monkeypatch.setattr(Session, "said", [])
    monkeypatch.setattr(Session, "fails", fails)
    jobs = [job(tmp_path / str(n), mask=None) for n in (1, 2, 3)]

    async def all_of_them() -> list[int]:
        filming = queue()
        return [await filming.film(queued, jobs[place + 1 :]) for place, queued in enumerate(jobs)]

    assert asyncio.run(all_of_them()) == [VOID_STATUS if queued.folder.name in fails else 0 for queued in jobs]
    assert Session.said == [
        "1 is near", "1 films", "2 is near", "1 encodes", "1 encodes no more",
        "2 films", "3 is near", "2 encodes", "2 encodes no more",
        "3 films", "3 encodes", "3 encodes no more",
    ]  # fmt: skip
