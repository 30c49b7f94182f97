"""Every take as a row, and the takes whose film's time origin is off."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.columns import NETWORK, RUN, SITE, STACK, TAKE
from eyelevel.compare.model import Load
from eyelevel_core.model.metrics import METRICS
from eyelevel_core.tables import Column, Table, columns, derived, part

SHARE = "; a fraction, empty if unknown"
AS_MEASURED = [
    Column(
        metric.field,
        "number",
        metric.unit or None,
        f"{metric.label}{' since navigation start' if metric.ratio else ''}, as measured; empty if unknown",
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
    run: ClassVar[int] = derived("load.run", "number of the run, or of the block in a paired campaign")
    settled: ClassVar[bool] = derived(
        "load.settled", "whether the page settled; false: the take ended at the time limit"
    )
    metrics: Mapping[str, float | None] = columns(*AS_MEASURED)
    zero_error_ms: ClassVar[float | None] = derived(
        "load.zero_error_ms",
        "alignment error: film's first change minus the browser's first paint",
    )
    clock_error_ms: ClassVar[float | None] = derived("load.clock_error_ms", "browser's clock minus the film's clock")
    lost_changes: ClassVar[int | None] = derived(
        "load.lost_changes", "number of changes missing from the film; empty if unknown"
    )
    unquiet_frames: ClassVar[int | None] = derived(
        "load.unquiet_frames", "number of frames of the film that may be torn; empty if unknown"
    )
    late_ms: ClassVar[float | None] = derived(
        "load.late_ms", "longest time between a change and the fetch of its frame; empty if unknown"
    )
    outside_share: ClassVar[float | None] = derived(
        "load.pressure.outside_share", f"processor time used by programs outside the capture{SHARE}"
    )
    steal_share: ClassVar[float | None] = derived(
        "load.pressure.steal_share", f"processor time taken by the hypervisor{SHARE}"
    )
    run_share: ClassVar[float | None] = derived(
        "load.pressure.run_share", f"processor time used by servers, emulation, screen and browser{SHARE}"
    )
    waiting_some_share: ClassVar[float | None] = derived(
        "load.pressure.waiting_some_share",
        f"time in which at least one task of servers, emulation, screen or browser waited for a processor{SHARE}",
    )
    waiting_full_share: ClassVar[float | None] = derived(
        "load.pressure.waiting_full_share",
        f"time in which every active task of servers, emulation, screen and browser waited for a processor{SHARE}",
    )
    exact: ClassVar[int | None] = derived(
        "load.fidelity.exact", "number of requests before load with an exact recorded answer"
    )
    equivalent: ClassVar[int | None] = derived(
        "load.fidelity.equivalent",
        "number of requests before load answered from a recording that differs only in volatile parameters or "
        "image format; empty if unknown",
    )
    inexact: ClassVar[int | None] = derived(
        "load.fidelity.inexact", "number of requests before load answered from the recording of a similar request"
    )
    missed: ClassVar[int | None] = derived(
        "load.fidelity.missed", "number of requests before load that were never recorded"
    )
    body_bytes: ClassVar[int | None] = derived(
        "load.traffic.body_bytes", "size of the bodies sent by all servers in bytes"
    )
    link_down_bytes: ClassVar[int | None] = derived(
        "load.traffic.link_down_bytes", "IP bytes sent over the link to the browser"
    )
    servers: ClassVar[int | None] = derived("load.traffic.servers", "number of server addresses that sent a response")
    take_sha256: ClassVar[str] = derived("load.digest", "SHA-256 of the take")


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
        "alignment error: film's first change minus the browser's first paint",
        head="by the first paint, ms",
        shown="signed_ms",
    )
    clock_error_ms: ClassVar[float | None] = derived(
        "load.clock_error_ms",
        "browser's clock minus the film's clock",
        head="by the clocks, ms",
        shown="signed_ms",
    )
    lost_changes: ClassVar[int | None] = derived(
        "load.lost_changes", "number of changes missing from the film", head="changes lost"
    )


TAKES = Table("takes", "Every take", "", TakeRow)
OFF = Table("off-by-a-frame", "Films whose time origin is off by more than a frame", "", OffRow)


def take_rows(loads: Iterable[Load]) -> list[TakeRow]:
    return [TakeRow(load, {metric.field: load.metrics[metric.key] for metric in METRICS}) for load in loads]
