"""The request for one page load, and the causes that make an attempt void."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

from eyelevel_core.model.device import DESKTOP, Device, Viewport


class Cause(StrEnum):
    """The cause of a void attempt; none depends on how fast the arm was."""

    PROCESS_DIED = "process died"
    NAVIGATION_FAILED = "navigation failed"
    NETWORK_CHANGED = "network changed"
    WRONG_PROTOCOL = "wrong protocol"
    FRAMES_LOST = "frames lost"
    NOT_WHITE = "screen not white before navigation"
    CLOCKS_DISAGREE = "clocks disagree"
    EMULATION_FAILED = "emulation failed"
    SERVER_LEFT_NO_REPORT = "server left no report"
    WIRE_CONTRADICTION = "wire contradiction"
    MACHINE_BUSY = "machine busy"
    CACHE_NOT_FILLED = "cache not filled"
    WRONG_CACHE = "wrong cache state"
    BROKEN_RESULT = "broken result"


class VoidError(Exception):
    """The attempt is void; the cause is for counting, the detail for a person."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause = cause
        self.detail = detail


# the colours of the pages before navigation
ORANGE = "#ff8000"
WHITE = "#ffffff"
# in a job's folder: the watcher's histograms
COUNTED = "histograms.bin"
# in a job's folder: when an earlier visit of the same browser had ended, in milliseconds since 1970
COUNTED_FROM = "counted-from"


@dataclass(frozen=True)
class LoadRequest:
    """One page load; `script` is the page script (see page_script.py), `way` one of WAYS.

    `width_px` and `height_px` are the page's size in CSS pixels, `device` is the device that it is loaded on.

    - `counted`: the watcher writes the histograms of the film into COUNTED while it is made.
    - `mask` is the file with the page's motion mask, `not_painting` has the keys of requests that need not be waited
      for.
    - `network_only`: the page has settled once its network has been quiet, also if the screen changes; used by replay
      checks, and by the visit that fills a cache.
    - `keep_profile`: the browser's profile is stored in the job's folder; a profile that is there is always used.
    - `looked_at`: elements and a screenshot of the settled page are stored, for a replay check.
    - `earlier_visit_s`: the page is first visited in the same browser, without a film, for up to this time; then cache
      and connections are dropped, and the page is filmed `farewell_s` later. None: no earlier visit.
    - `blocked`: the places (comparability/addresses.py) that the browser does not request.
    - `watched_ms`: the page is filmed for this time after its network has been quiet, or until nothing has changed for
      `rest_ms`; used by probes (watch.py).
    """

    way: str
    width_px: int
    height_px: int
    limit_s: float
    quiet_ms: float
    script: str
    counted: bool = False
    mask: str | None = None
    not_painting: tuple[str, ...] = ()
    network_only: bool = False
    keep_profile: bool = False
    looked_at: bool = False
    earlier_visit_s: float | None = None
    farewell_s: float = 0.0
    blocked: tuple[str, ...] = ()
    watched_ms: float | None = None
    rest_ms: float | None = None
    device: Device = DESKTOP

    @property
    def viewport(self) -> Viewport:
        return Viewport(self.width_px, self.height_px)

    @property
    def film(self) -> Viewport:
        """Returns the size of the film."""
        return self.device.film(self.viewport)

    @property
    def window(self) -> Viewport:
        """Returns the size of the browser's window on the screen, which contains the film."""
        return self.device.window(self.viewport)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps({**asdict(self), "device": self.device.as_json()}))

    @classmethod
    def read(cls, path: Path) -> "LoadRequest":
        read = json.loads(path.read_text())
        return cls(**{**read, "device": Device.of(read["device"])})


@dataclass(frozen=True)
class Job:
    """A page load to film: `folder` has request.json and gets the results, `testbed` is the command for its sandbox."""

    folder: Path
    testbed: tuple[str, ...]


@dataclass(frozen=True)
class Film:
    """A request to the worker to film `job`, and to prepare the `next` jobs."""

    job: Job
    next: tuple[Job, ...] = ()


@dataclass(frozen=True)
class Drop:
    """A request to the worker to drop the prepared jobs."""


Question = Film | Drop


def line_of(question: Question) -> str:
    """Returns a request to the worker as a line of its standard input."""
    if isinstance(question, Drop):
        return json.dumps({"drop": True})
    return json.dumps({"film": _plain(question.job), "next": [_plain(job) for job in question.next]})


def question_of(line: str | bytes) -> Question:
    """Returns the request in a line; raises KeyError, TypeError or ValueError if it is invalid."""
    asked = json.loads(line)
    if "drop" in asked:
        return Drop()
    return Film(_job(asked["film"]), tuple(_job(job) for job in asked["next"]))


def answer_line(status: int) -> str:
    """Returns the worker's response as a line: the exit status of a film, 0 for a drop."""
    return json.dumps({"status": status})


def status_of(line: str) -> int:
    """Returns the status in a response of the worker; raises ValueError if it is invalid."""
    answer = json.loads(line)
    if not isinstance(answer, dict) or not isinstance(answer.get("status"), int):
        raise ValueError(f"not a response of the capture worker: {line!r}")  # noqa: TRY004 - the line is wrong, not its type
    return int(answer["status"])


class _PlainJob(TypedDict):
    folder: str
    testbed: Sequence[str]


def _plain(job: Job) -> _PlainJob:
    return {"folder": str(job.folder), "testbed": job.testbed}


def _job(value: _PlainJob) -> Job:
    return Job(Path(value["folder"]), tuple(value["testbed"]))
