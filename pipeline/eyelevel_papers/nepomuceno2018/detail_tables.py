"""Tables of effects, boxes, phases, protocols, loads and objects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.model import Load
from eyelevel.compare.phases import PHASES
from eyelevel.report.table import Filled
from eyelevel_core.tables import Column, Table, column, columns, derived, part
from eyelevel_papers.nepomuceno2018.columns import CACHE, EVENT, STACK, AtConfiguration, Of
from eyelevel_papers.nepomuceno2018.effects import Box, EffectRow
from eyelevel_papers.nepomuceno2018.published import Configuration
from eyelevel_papers.nepomuceno2018.requests import PhaseRow, ProtocolRow


@dataclass(frozen=True)
class EffectLine(Of):
    """The factor by which a page's time grows."""

    effect: ClassVar[str] = derived("of.effect", "parameter that increases: round trip, or loss")
    from_configuration: ClassVar[str] = derived("of.at.name", "configuration with the smaller value", head="from")
    to_configuration: ClassVar[str] = derived("of.to.name", "configuration with the larger value", head="to")
    stack: ClassVar[str] = derived("of.stack", STACK)
    event: ClassVar[str] = derived("of.event", EVENT)
    cache: ClassVar[str] = derived("of.cache", CACHE)
    pages: ClassVar[int] = derived("of.pages", "number of pages with a mean in both configurations")
    ratio: ClassVar[float] = derived("of.ratio", "geometric mean over pages of mean(to) / mean(from)", head="factor")
    low: ClassVar[float | None] = derived(
        "of.low",
        "lower end of the 95 % interval of ratio (Student's t on logarithms)",
        head="95 % interval",
        until="high",
    )
    high: ClassVar[float | None] = derived(
        "of.high", "upper end of the 95 % interval of ratio (Student's t on logarithms)"
    )


@dataclass(frozen=True)
class BoxLine(AtConfiguration):
    """A box of figure 4."""

    stack: ClassVar[str] = derived("of.stack", STACK)
    pages: ClassVar[int] = derived("of.pages", "number of pages in the box")
    low_ms: ClassVar[float] = derived("of.low_ms", "end of the lower whisker", shown="hidden")
    q1_ms: ClassVar[float] = derived("of.q1_ms", "first quartile", head="first quartile, ms", shown="ms")
    median_ms: ClassVar[float] = derived("of.median_ms", "median", shown="ms")
    q3_ms: ClassVar[float] = derived("of.q3_ms", "third quartile", head="third quartile, ms", shown="ms")
    high_ms: ClassVar[float] = derived("of.high_ms", "end of the upper whisker", shown="hidden")
    outliers: int = column("number of pages beyond the whiskers")


@dataclass(frozen=True)
class PhaseLine(Of):
    """A phase of the requests."""

    stack: ClassVar[str] = derived("of.stack", STACK)
    cache: ClassVar[str] = derived("of.cache", CACHE)
    configuration: ClassVar[str | None] = derived(
        "of.configuration.name", "configuration C01 to C12, numbered as in the paper"
    )
    rtt_ms: ClassVar[float | None] = derived(
        "of.configuration.rtt_ms", "round-trip time of the configuration", head="RTT, ms", shown="ms"
    )
    loss: ClassVar[float | None] = derived(
        "of.configuration.loss", "packet loss of the configuration, 0 to 1", shown="share"
    )
    phase: ClassVar[str] = derived(
        "of.phase",
        "phase as in HAR 1.2; TLS is part of connect; blocked_connect is the wait for another request's connection",
    )
    pages: ClassVar[int] = derived("of.pages", "number of pages with known phases")
    dominant: ClassVar[int] = derived(
        "of.dominant", "number of these pages for which this phase is the largest", head="largest on"
    )
    median_share: ClassVar[float | None] = derived(
        "of.median_share", "median over pages of this phase's share of the time in all phases, 0 to 1", shown="share"
    )
    median_ms: ClassVar[float | None] = derived(
        "of.median_ms",
        "median over pages of the sum of this phase over the page's requests",
        head="median sum, ms",
        shown="ms",
    )


@dataclass(frozen=True)
class ProtocolLine(AtConfiguration):
    """Responses over HTTP/3 per load."""

    stack: ClassVar[str] = derived("of.stack", STACK)
    cache: ClassVar[str] = derived("of.cache", CACHE)
    loads: ClassVar[int] = derived("of.loads", "number of loads with known protocols")
    unknown: ClassVar[int] = derived("of.unknown", "number of loads with unknown protocols")
    median: ClassVar[float | None] = derived(
        "of.median",
        "median over loads of the share of responses over HTTP/3, 0 to 1",
        head="over HTTP/3, median",
        shown="share",
    )
    least: ClassVar[float | None] = derived(
        "of.least", "smallest share of responses over HTTP/3 in a load, 0 to 1", shown="share"
    )
    most: ClassVar[float | None] = derived(
        "of.most", "largest share of responses over HTTP/3 in a load, 0 to 1", shown="share"
    )


@dataclass(frozen=True)
class ObjectLine:
    """The objects of a page."""

    site: str = column("site of the campaign")
    objects: float = column(
        "median over the page's first visits of the number of requests that the servers answered", shown="count"
    )


@dataclass(frozen=True)
class LoadLine:
    """A take that counts, over one of the paper's networks."""

    load: Load = part()
    take: ClassVar[str] = derived("load.path", "folder of the take in the batch")
    site: ClassVar[str] = derived("load.site", "site of the campaign", shown="hidden")
    configuration: str = column("configuration C01 to C12, numbered as in the paper", shown="hidden")
    stack: ClassVar[str] = derived("load.stack", STACK, shown="hidden")
    cache: ClassVar[str] = derived("load.cache", CACHE, shown="hidden")
    run: ClassVar[int] = derived("load.run", "number of the run", shown="hidden")
    onload_ms: float | None = column("time of onLoad; empty if unknown", head="onLoad, ms", shown="ms")
    oncontentloaded_ms: float | None = column(
        "time of onContentLoaded; empty if unknown", head="onContentLoaded, ms", shown="ms"
    )
    h3_share: ClassVar[float | None] = derived(
        "load.traffic.h3_share", "share of the load's responses over HTTP/3, 0 to 1", head="over HTTP/3", shown="share"
    )
    phases: Mapping[str, float | None] = columns(
        *(
            Column(
                f"{phase}_ms", "number", "ms", f"sum of {phase} over the load's requests (phases.csv)", format="hidden"
            )
            for phase in PHASES
        )
    )


def effect_table(rows: Sequence[EffectRow]) -> Filled:
    return Filled(
        Table("effects", "Effects of round trip and loss per page", "", EffectLine), list(map(EffectLine, rows))
    )


def box_table(rows: Sequence[Box]) -> Filled:
    return Filled(
        Table("boxes", "Boxes of figure 4", "", BoxLine), [BoxLine(box, len(box.outliers_ms)) for box in rows]
    )


def phase_table(rows: Sequence[PhaseRow]) -> Filled:
    return Filled(Table("phases", "Phases of the requests", "", PhaseLine), list(map(PhaseLine, rows)))


def protocol_table(rows: Sequence[ProtocolRow]) -> Filled:
    return Filled(Table("protocols", "Responses over HTTP/3 per load", "", ProtocolLine), list(map(ProtocolLine, rows)))


def object_table(objects: Mapping[str, float]) -> Filled:
    rows = [ObjectLine(site, count) for site, count in objects.items()]
    return Filled(Table("objects", "Objects per page (figure 1)", "", ObjectLine), rows)


def load_table(loads: Sequence[Load], configured: Mapping[str, Configuration]) -> Filled:
    """Returns a row per counted take over the paper's networks."""
    rows = [
        LoadLine(
            load, configured[load.network].name, load.metrics["plt"], load.metrics["dcl"],
            {f"{phase}_ms": value for phase, value in (load.phases_ms or {}).items()},
        )
        for load in loads
        if load.network in configured
    ]  # fmt: skip
    return Filled(Table("loads", "Every load", "", LoadLine), rows)
