"""What a worker makes of a job that cannot begin: that run alone is void, and the worker stays."""

import asyncio
import json
from pathlib import Path
from unittest.mock import Mock

import pytest

from eyelevel.capture.inside import __main__ as inside
from eyelevel.capture.inside.__main__ import VOID_STATUS, SessionQueue
from eyelevel.capture.inside.request import Cause, Job, LoadRequest
from eyelevel.capture.inside.watcher import Watcher

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
    monkeypatch.setattr(inside.autogroup, "can_hold_back", lambda: True)
    filming = queue()
    marks: list[str] = []
    filming._begin(Mock(marks=Mock(reach=marks.append)), [job(tmp_path / str(n), mask=NO_MASK) for n in (1, 2)])
    assert (filming._spares, marks) == ([], [])
