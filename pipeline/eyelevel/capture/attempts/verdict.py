"""Checks an attempt: emulation and stack must match their definitions, on a quiet machine. Pure."""

from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.model.take import Pressure
from eyelevel_core.model.wire import ServerReport, WireReport


def judge_wire(wire: WireReport) -> ServerReport:
    """Returns the servers' part of the report.

    Raises VoidError if the link or the stack contradicts its definition, or the servers left no report. The testbed
    compares its measurements with the stack's definition (docs/reference/wire-report.md).
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
        raise VoidError(Cause.SERVER_LEFT_NO_REPORT, "the wire report has no part of the servers")
    if wire.contradictions:
        more = f" ({len(wire.contradictions) - 1} more)" if len(wire.contradictions) > 1 else ""
        raise VoidError(Cause.WIRE_CONTRADICTION, f"{wire.contradictions[0]}{more}")
    return wire.server


def judge_pressure(pressure: Pressure | None, *, most_outside: float) -> None:
    """Raises VoidError if others used more of the processors' time than the campaign's `max_outside_share`.

    The run's own use, and its waiting for a processor, never void it, because a stack in user space would then keep
    only its runs on a fast machine.
    """
    if pressure is None:
        return
    # shares have four digits, and so has their sum
    share = round(pressure.outside_share + pressure.steal_share, 4)
    if share > most_outside:
        raise VoidError(
            Cause.MACHINE_BUSY,
            f"others used {share:.1%} of the processors' time while the page loaded (other programs "
            f"{pressure.outside_share:.1%}, hypervisor {pressure.steal_share:.1%}), and the campaign's "
            f"max_outside_share is {most_outside:.1%}",
        )
