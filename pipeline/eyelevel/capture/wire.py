"""What the testbed's own report says against a run. Pure."""

from collections.abc import Mapping
from typing import Any

from eyelevel.capture.inside.request import Cause, VoidError

# what a real link would not do, by its counter in the wire report
FAULTS = {"drops_emulation": "packets that the emulation missed", "oversized": "packets above the MTU"}


def judge_wire(wire: Mapping[str, Any]) -> None:
    """Raise VoidError where the link or the stack was not as its definition says, or the servers left no report.

    `wire` keeps the contract wire.1, whose descriptions say what voids a run. The testbed holds what it measured
    against the stack's definition (docs/wire-report.md); an older one did not, so nothing is known to contradict it.
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
    contradictions = wire.get("contradictions", [])
    if contradictions:
        more = f" ({len(contradictions) - 1} more)" if len(contradictions) > 1 else ""
        raise VoidError(Cause.WIRE_CONTRADICTION, f"{contradictions[0]}{more}")
