"""The request for one page load, and the causes that make an attempt void."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

from eyelevel_core.model.device import DESKTOP, Device, Viewport


class Cause(StrEnum):
    """Why an attempt is void; none of them knows how fast the arm was."""

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
# in a job's folder: what the watcher leaves
COUNTED = "histograms.bin"
# and when an earlier visit of the same browser had ended, in milliseconds since 1970
COUNTED_FROM = "counted-from"


@dataclass(frozen=True)
class LoadRequest:
    """One page load. `script` is the page script (see page_script.py); `way` is of WAYS.

    `width_px` and `height_px` are the page's, in CSS pixels; `device` is what it is loaded on.

    The profile that lies there is used, and the browser's own is left in its place if `keep_profile`.
    Whether the film's changes are `counted` while it runs, into the folder's COUNTED. `mask` is the file with the
    page's motion mask, `not_painting` has the keys of its requests that need not be waited for. `network_only`: the
    page has settled once its network has been quiet, whatever changes on the screen; so a check loads it, and the visit
    that fills a cache. `looked_at`: the settled page's elements and a screenshot are kept, as a replay check needs.
    `earlier_visit_s`: the page is visited before, in the same browser and without a film, for so long at most; its
    cache and its connections go, and `farewell_s` later it is filmed. None: it is not. `blocked`: the places
    (comparability/addresses.py) that the browser does not request. `watched_ms`: it is filmed for so long after its
    network has been quiet, or until nothing has changed for `rest_ms` of that; so a probe watches it (watch.py).
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
        """The size of the film."""
        return self.device.film(self.viewport)

    @property
    def window(self) -> Viewport:
        """The size of the browser's window on the screen, which holds the film."""
        return self.device.window(self.viewport)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps({**asdict(self), "device": self.device.as_json()}))

    @classmethod
    def read(cls, path: Path) -> "LoadRequest":
        read = json.loads(path.read_text())
        return cls(**{**read, "device": Device.of(read["device"])})


@dataclass(frozen=True)
class Job:
    """What to film: `folder` holds request.json and gets what comes of it; `testbed` is the command for its sandbox."""

    folder: Path
    testbed: tuple[str, ...]


@dataclass(frozen=True)
class Film:
    """Asks the worker for the film of `job`, and to make ready what comes `next`."""

    job: Job
    next: tuple[Job, ...] = ()


@dataclass(frozen=True)
class Drop:
    """Asks the worker to give up what it has made ready."""


Question = Film | Drop


def line_of(question: Question) -> str:
    """A question to the worker as a line of its standard input."""
    if isinstance(question, Drop):
        return json.dumps({"drop": True})
    return json.dumps({"film": _plain(question.job), "next": [_plain(job) for job in question.next]})


def question_of(line: str | bytes) -> Question:
    """The question of a line. Raise KeyError, TypeError or ValueError where it is none."""
    asked = json.loads(line)
    if "drop" in asked:
        return Drop()
    return Film(_job(asked["film"]), tuple(_job(job) for job in asked["next"]))


def answer_line(status: int) -> str:
    """The worker's answer as a line: the exit status of a film, 0 of a drop."""
    return json.dumps({"status": status})


def status_of(line: str) -> int:
    """Raise ValueError where the line is no answer of the worker."""
    answer = json.loads(line)
    if not isinstance(answer, dict) or not isinstance(answer.get("status"), int):
        raise ValueError(f"no answer of the capture worker: {line!r}")  # noqa: TRY004 - the line is wrong, not its type
    return int(answer["status"])


class _PlainJob(TypedDict):
    folder: str
    testbed: Sequence[str]


def _plain(job: Job) -> _PlainJob:
    return {"folder": str(job.folder), "testbed": job.testbed}


def _job(value: _PlainJob) -> Job:
    return Job(Path(value["folder"]), tuple(value["testbed"]))
