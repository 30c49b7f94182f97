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

    effect: ClassVar[str] = derived("of.effect", "round trip, or loss: what grows")
    from_configuration: ClassVar[str] = derived("of.at.name", "configuration with the smaller value", head="from")
    to_configuration: ClassVar[str] = derived("of.to.name", "configuration with the larger value", head="to")
    stack: ClassVar[str] = derived("of.stack", STACK)
    event: ClassVar[str] = derived("of.event", EVENT)
    cache: ClassVar[str] = derived("of.cache", CACHE)
    pages: ClassVar[int] = derived("of.pages", "pages with a mean in both")
    ratio: ClassVar[float] = derived("of.ratio", "geometric mean over pages of mean(to) / mean(from)", head="factor")
    low: ClassVar[float | None] = derived(
        "of.low",
        "low end of its 95 % interval (Student's t on logarithms)",
        head="95 % interval",
        until="high",
    )
    high: ClassVar[float | None] = derived("of.high", "its high end")


@dataclass(frozen=True)
class BoxLine(AtConfiguration):
    """A box of figure 4."""

    stack: ClassVar[str] = derived("of.stack", STACK)
    pages: ClassVar[int] = derived("of.pages", "pages in the box")
    low_ms: ClassVar[float] = derived("of.low_ms", "end of the low whisker", shown="hidden")
    q1_ms: ClassVar[float] = derived("of.q1_ms", "first quartile", head="first quartile, ms", shown="ms")
    median_ms: ClassVar[float] = derived("of.median_ms", "median", shown="ms")
    q3_ms: ClassVar[float] = derived("of.q3_ms", "third quartile", head="third quartile, ms", shown="ms")
    high_ms: ClassVar[float] = derived("of.high_ms", "end of the high whisker", shown="hidden")
    outliers: int = column("pages beyond the whiskers")


@dataclass(frozen=True)
class PhaseLine(Of):
    """A phase of the requests."""

    stack: ClassVar[str] = derived("of.stack", STACK)
    cache: ClassVar[str] = derived("of.cache", CACHE)
    configuration: ClassVar[str | None] = derived("of.configuration.name", "C01 to C12 in the order of the paper")
    rtt_ms: ClassVar[float | None] = derived("of.configuration.rtt_ms", "its round trip", head="RTT, ms", shown="ms")
    loss: ClassVar[float | None] = derived("of.configuration.loss", "its loss, 0 to 1", shown="share")
    phase: ClassVar[str] = derived(
        "of.phase",
        "phase of HAR 1.2; TLS is part of connect, blocked_connect waits for another request's connection",
    )
    pages: ClassVar[int] = derived("of.pages", "pages whose phases are known")
    dominant: ClassVar[int] = derived("of.dominant", "of these, pages of which it is the largest", head="largest on")
    median_share: ClassVar[float | None] = derived(
        "of.median_share", "median over pages of its share of the time in phases, 0 to 1", shown="share"
    )
    median_ms: ClassVar[float | None] = derived(
        "of.median_ms", "median over pages of its sum over the page's requests", head="median sum, ms", shown="ms"
    )


@dataclass(frozen=True)
class ProtocolLine(AtConfiguration):
    """Responses over HTTP/3 per load."""

    stack: ClassVar[str] = derived("of.stack", STACK)
    cache: ClassVar[str] = derived("of.cache", CACHE)
    loads: ClassVar[int] = derived("of.loads", "loads whose protocols are known")
    unknown: ClassVar[int] = derived("of.unknown", "loads whose protocols are unknown")
    median: ClassVar[float | None] = derived(
        "of.median",
        "median over loads of the share of responses over HTTP/3, 0 to 1",
        head="over HTTP/3, median",
        shown="share",
    )
    least: ClassVar[float | None] = derived("of.least", "the smallest share", shown="share")
    most: ClassVar[float | None] = derived("of.most", "the largest share", shown="share")


@dataclass(frozen=True)
class ObjectLine:
    """The objects of a page."""

    site: str = column("the page")
    objects: float = column("median over its first visits of the requests that the servers answered", shown="count")


@dataclass(frozen=True)
class LoadLine:
    """A take that counts, over one of the paper's networks."""

    load: Load = part()
    take: ClassVar[str] = derived("load.path", "its folder inside the batch")
    site: ClassVar[str] = derived("load.site", "the page", shown="hidden")
    configuration: str = column("C01 to C12", shown="hidden")
    stack: ClassVar[str] = derived("load.stack", STACK, shown="hidden")
    cache: ClassVar[str] = derived("load.cache", CACHE, shown="hidden")
    run: ClassVar[int] = derived("load.run", "number of the run", shown="hidden")
    onload_ms: float | None = column("onLoad; empty where it is unknown", head="onLoad, ms", shown="ms")
    oncontentloaded_ms: float | None = column(
        "onContentLoaded; empty where it is unknown", head="onContentLoaded, ms", shown="ms"
    )
    h3_share: ClassVar[float | None] = derived(
        "load.traffic.h3_share", "share of its responses over HTTP/3, 0 to 1", head="over HTTP/3", shown="share"
    )
    phases: Mapping[str, float | None] = columns(
        *(
            Column(f"{phase}_ms", "number", "ms", f"sum of {phase} over its requests (phases.csv)", format="hidden")
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
