"""Judges whether a run had the machine for itself. Pure."""

from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel_core.model.take import Pressure


def judge_pressure(pressure: Pressure | None, *, most_outside: float) -> None:
    """VoidError where others used more of the processors' time than that share (the campaign's `max_outside_share`).

    What the run itself used, and how long it waited for a processor, never voids it: a stack that works in user space
    would keep only its runs on a quick machine.
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
