"""Phases of the requests, the share of HTTP/3, and objects per page. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median

from eyelevel.compare.model import Load
from eyelevel.compare.phases import PHASES
from eyelevel_papers.nepomuceno2018.pages import Loads
from eyelevel_papers.nepomuceno2018.published import CONFIGURATIONS, Configuration


@dataclass(frozen=True)
class PhaseRow:
    """The time that requests of a stack's pages spend in one phase.

    A page's phase is the mean over its runs of the sum over its requests. `dominant` counts pages of which the phase
    is the largest, `median_share` is its median share of a page's time in phases, 0 to 1. `configuration` is None for
    all pages of all configurations.
    """

    stack: str
    cache: str
    configuration: Configuration | None
    phase: str
    pages: int
    dominant: int
    median_share: float | None
    median_ms: float | None


@dataclass(frozen=True)
class ProtocolRow:
    """The share of responses over HTTP/3 per load, 0 to 1: median, least and most over `loads` whose share is known."""

    stack: str
    cache: str
    configuration: Configuration
    loads: int
    unknown: int
    median: float | None
    least: float | None
    most: float | None


def phase_rows(pages: Loads, stacks: Sequence[str], caches: Sequence[str]) -> list[PhaseRow]:
    """Computes the phases for all configurations together, then for each."""
    rows = []
    for cache in caches:
        for stack in stacks:
            for configuration in (None, *CONFIGURATIONS):
                phases_of_pages = [
                    of_page
                    for member in CONFIGURATIONS
                    if configuration in (None, member)
                    for loads in pages.get((member, cache, stack), {}).values()
                    if (of_page := _page(loads))
                ]
                if phases_of_pages:
                    rows += [_phase(phases_of_pages, stack, cache, configuration, phase) for phase in PHASES]
    return rows


def _page(loads: Sequence[Load]) -> Mapping[str, float]:
    """Returns the mean of each phase over the runs that have it; empty where no run has one."""
    known = [load.phases_ms for load in loads if load.phases_ms is not None]
    values = {phase: [ms for phases in known if (ms := phases[phase]) is not None] for phase in PHASES}
    return {phase: fsum(times) / len(times) for phase, times in values.items() if times}


def _phase(
    pages: Sequence[Mapping[str, float]], stack: str, cache: str, configuration: Configuration | None, phase: str
) -> PhaseRow:
    shares = [page[phase] / total for page in pages if phase in page and (total := fsum(page.values())) > 0]
    times = [page[phase] for page in pages if phase in page]
    return PhaseRow(
        stack,
        cache,
        configuration,
        phase,
        pages=len(pages),
        dominant=sum(max(PHASES, key=lambda name: page.get(name, 0.0)) == phase for page in pages),
        median_share=median(shares) if shares else None,
        median_ms=median(times) if times else None,
    )


def dominant(rows: Sequence[PhaseRow], stack: str, cache: str) -> PhaseRow | None:
    """Returns the phase that is largest on most pages of all configurations; None without a page."""
    over_all = [row for row in rows if (row.stack, row.cache, row.configuration) == (stack, cache, None)]
    return max(over_all, key=lambda row: row.dominant, default=None)


def protocol_rows(pages: Loads, stacks: Sequence[str], caches: Sequence[str]) -> list[ProtocolRow]:
    rows = []
    for cache in caches:
        for stack in stacks:
            for configuration in CONFIGURATIONS:
                loads = [load for of_site in pages.get((configuration, cache, stack), {}).values() for load in of_site]
                if loads:
                    rows.append(_protocols(loads, stack, cache, configuration))
    return rows


def _protocols(loads: Sequence[Load], stack: str, cache: str, configuration: Configuration) -> ProtocolRow:
    shares = [share for load in loads if (share := load.traffic.h3_share) is not None]
    return ProtocolRow(
        stack,
        cache,
        configuration,
        loads=len(shares),
        unknown=len(loads) - len(shares),
        median=median(shares) if shares else None,
        least=min(shares, default=None),
        most=max(shares, default=None),
    )


def objects(loads: Sequence[Load]) -> dict[str, float]:
    """Computes figure 1: the objects of each page, which are the median number of answered requests of first visits."""
    requests: dict[str, list[int]] = {}
    for load in loads:
        if load.cache == "cold" and load.traffic.requests is not None:
            requests.setdefault(load.site, []).append(load.traffic.requests)
    return {site: float(median(counts)) for site, counts in sorted(requests.items())}
