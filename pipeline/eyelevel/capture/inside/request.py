"""What the page load is asked to do, and the causes that void it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


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
    BROKEN_RESULT = "broken result"
    BLOCK_VOIDED = "another run of its block was void"


class VoidError(Exception):
    """The attempt is void; the cause is for counting, the detail for a person."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause = cause
        self.detail = detail


@dataclass(frozen=True)
class LoadRequest:
    """One page load. `script` is the page script (see page_script.py); `way` is of browser.WAYS.

    The profile that lies there is used, and removed afterwards unless `keep_profile`.
    `orange` and `white` are the hashes of frames wholly of that colour (see capture/colours.py), `watch` the command
    that is given the film's changed frames while it runs.
    """

    way: str
    width_px: int
    height_px: int
    frame_rate: int
    limit_s: float
    quiet_ms: float
    script: str
    orange: str
    white: str
    watch: Sequence[str] = ()
    keep_profile: bool = False

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: Path) -> "LoadRequest":
        return cls(**json.loads(path.read_text()))
