"""What the testbed's own report says against a run. Pure."""

from collections.abc import Mapping
from typing import Any

from eyelevel.capture.inside.request import Cause, VoidError

# what a real link would not do, by its counter in the wire report
FAULTS = {"drops_emulation": "packets that the emulation missed", "oversized": "packets above the MTU"}


def judge_wire(wire: Mapping[str, Any]) -> None:
    """Raise VoidError where the link was not emulated as its definition says, or the servers left no report.

    `wire` keeps the contract wire.1, whose descriptions say what voids a run.
    """
    told = [
        f"{wire['link'][way][counter]} {words} ({way})"
        for way in ("down", "up")
        for counter, words in FAULTS.items()
        if wire["link"][way][counter] > 0
    ]
    if told:
        raise VoidError(Cause.EMULATION_FAILED, ", ".join(told))
    if wire["server"] is None:
        raise VoidError(Cause.SERVER_LEFT_NO_REPORT, "the wire report holds nothing of the servers")
