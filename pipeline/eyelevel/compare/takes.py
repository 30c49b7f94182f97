"""Every take as a row, and the takes whose film's time origin is off."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.columns import NETWORK, RUN, SITE, STACK, TAKE
from eyelevel.compare.model import Load
from eyelevel_core.model.metrics import METRICS
from eyelevel_core.tables import Column, Table, columns, derived, part

SHARE = "; a fraction, empty where unknown"
AS_MEASURED = [
    Column(
        metric.field,
        "number",
        metric.unit or None,
        f"{metric.label}{' since navigation start' if metric.ratio else ''}, as measured; empty where unknown",
    )
    for metric in METRICS
]


@dataclass(frozen=True)
class TakeRow:
    """A take with all of its values, for a CSV file only."""

    load: Load = part()
    site: ClassVar[str] = derived("load.site", SITE)
    network: ClassVar[str] = derived("load.network", NETWORK)
    stack: ClassVar[str] = derived("load.stack", STACK)
    run: ClassVar[int] = derived("load.run", "number of the run; with a paired campaign, of the block")
    settled: ClassVar[bool] = derived("load.settled", "false: the take ended at the limit")
    metrics: Mapping[str, float | None] = columns(*AS_MEASURED)
    zero_error_ms: ClassVar[float | None] = derived(
        "load.zero_error_ms", "the film's first change against the browser's first paint"
    )
    clock_error_ms: ClassVar[float | None] = derived("load.clock_error_ms", "the browser's clock against the film's")
    lost_changes: ClassVar[int | None] = derived(
        "load.lost_changes", "changes that the film lacks; empty where unknown"
    )
    unquiet_frames: ClassVar[int | None] = derived(
        "load.unquiet_frames", "frames of the film that may be torn; empty where unknown"
    )
    late_ms: ClassVar[float | None] = derived(
        "load.late_ms", "the longest time between a change and the fetch of its frame; empty where unknown"
    )
    outside_share: ClassVar[float | None] = derived(
        "load.pressure.outside_share", f"processor time that programs outside the capture used{SHARE}"
    )
    steal_share: ClassVar[float | None] = derived(
        "load.pressure.steal_share", f"processor time that the hypervisor took{SHARE}"
    )
    run_share: ClassVar[float | None] = derived(
        "load.pressure.run_share", f"processor time that servers, emulation, screen and browser used{SHARE}"
    )
    waiting_some_share: ClassVar[float | None] = derived(
        "load.pressure.waiting_some_share", f"time in which some task of these waited for a processor{SHARE}"
    )
    waiting_full_share: ClassVar[float | None] = derived(
        "load.pressure.waiting_full_share", f"time in which each active task of these waited for a processor{SHARE}"
    )
    exact: ClassVar[int | None] = derived("load.fidelity.exact", "requests before load answered exactly")
    equivalent: ClassVar[int | None] = derived(
        "load.fidelity.equivalent",
        "requests before load answered by a recording that differs in volatile parameters or image format only; empty: "
        "unknown",
    )
    inexact: ClassVar[int | None] = derived("load.fidelity.inexact", "requests before load answered by nearly the same")
    missed: ClassVar[int | None] = derived("load.fidelity.missed", "requests before load never recorded")
    body_bytes: ClassVar[int | None] = derived("load.traffic.body_bytes", "bodies sent by all servers")
    link_down_bytes: ClassVar[int | None] = derived(
        "load.traffic.link_down_bytes", "IP bytes through the link towards the browser"
    )
    servers: ClassVar[int | None] = derived("load.traffic.servers", "server addresses that answered something")
    take_sha256: ClassVar[str] = derived("load.digest", "identity of the take")


@dataclass(frozen=True)
class OffRow:
    """A film whose time origin is off."""

    load: Load = part()
    site: ClassVar[str] = derived("load.site", SITE)
    network: ClassVar[str] = derived("load.network", NETWORK)
    stack: ClassVar[str] = derived("load.stack", STACK)
    run: ClassVar[int] = derived("load.run", RUN)
    take: ClassVar[str] = derived("load.path", TAKE, shown="hidden")
    zero_error_ms: ClassVar[float | None] = derived(
        "load.zero_error_ms",
        "the film's first change against the first paint",
        head="by the first paint, ms",
        shown="signed_ms",
    )
    clock_error_ms: ClassVar[float | None] = derived(
        "load.clock_error_ms", "the browser's clock against the film's", head="by the clocks, ms", shown="signed_ms"
    )
    lost_changes: ClassVar[int | None] = derived(
        "load.lost_changes", "changes that the film lacks", head="changes lost"
    )


TAKES = Table("takes", "Every take", "", TakeRow)
OFF = Table("off-by-a-frame", "Films whose time origin is off by more than a frame", "", OffRow)


def take_rows(loads: Iterable[Load]) -> list[TakeRow]:
    return [TakeRow(load, {metric.field: load.metrics[metric.key] for metric in METRICS}) for load in loads]
