"""Judges the testbed's own report of a run: did the emulation and the stack do what they are defined to do? Pure."""

from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel_core.model.wire import ServerReport, WireReport


def judge_wire(wire: WireReport) -> ServerReport:
    """The servers' part of the report.

    Raise VoidError where the link or the stack was not as its definition says, or the servers left no report. The
    testbed compares what it measured with the stack's definition (docs/wire-report.md).
    """
    faults = [
        f"{count} {words} ({way})"
        for way, link in (("down", wire.link.down), ("up", wire.link.up))
        for count, words in (
            (link.drops_emulation, "packets that the emulation missed"),
            (link.oversized, "packets above the MTU"),
        )
        if count > 0
    ]
    if faults:
        raise VoidError(Cause.EMULATION_FAILED, ", ".join(faults))
    if wire.server is None:
        raise VoidError(Cause.SERVER_LEFT_NO_REPORT, "the wire report holds nothing of the servers")
    if wire.contradictions:
        more = f" ({len(wire.contradictions) - 1} more)" if len(wire.contradictions) > 1 else ""
        raise VoidError(Cause.WIRE_CONTRADICTION, f"{wire.contradictions[0]}{more}")
    return wire.server
