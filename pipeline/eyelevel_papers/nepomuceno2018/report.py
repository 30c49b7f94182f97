"""Computes the report about Nepomuceno et al. 2018 from a batch. Pure."""

from collections.abc import Sequence

from eyelevel.compare.added import Report
from eyelevel.compare.model import Batch, Pair
from eyelevel.errors import BadInputError
from eyelevel.report.words import listed, plural
from eyelevel_core.model.take import Definition
from eyelevel_papers.nepomuceno2018 import detail_tables, figures, tables
from eyelevel_papers.nepomuceno2018.effects import EffectRow, boxes, effects, means
from eyelevel_papers.nepomuceno2018.grid import configurations, directions, pairs_of
from eyelevel_papers.nepomuceno2018.pages import Cell, by_page, cells, page_rows
from eyelevel_papers.nepomuceno2018.published import CACHES, DOMINANT, EVENTS, PAGES, RUNS, Configuration
from eyelevel_papers.nepomuceno2018.requests import PhaseRow, dominant, objects, phase_rows, protocol_rows
from eyelevel_papers.nepomuceno2018.summary import summary
from eyelevel_papers.selection import counted
from eyelevel_papers.sheet import Folded, Panels, Section, Sheet, facts_of, report

TITLE = "QUIC and TCP: Nepomuceno et al. 2018 and this batch"
PHASE_NOTE = (
    "From each take’s HAR: a page’s phase is the mean over its runs of the sum over its requests that went to a "
    "server. Names are resolved without a look-up, so the phase dns is about 0. The time in which a request waits for "
    "a connection that another one opens (blocked, connect) is part of blocked in HAR, and counted apart here: over "
    "HTTP/2 and HTTP/3 it is where most requests wait for a handshake. Unknown times are excluded."
)


def nepomuceno2018(batch: Batch, pairs: Sequence[Pair]) -> Report:
    """Computes the report. `pairs` empty: every QUIC stack against the simplest TCP stack. Figures show the first pair.

    Raise BadInputError where no network is one of the paper's, or no page has both stacks of the first pair.
    """
    configured = configurations(batch.networks)
    chosen = list(pairs) or pairs_of(batch.stacks)
    visits = counted(batch, tuple(CACHES))
    pages = by_page(visits.loads, configured)
    rows = {pair: page_rows(pages, pair) for pair in chosen}
    all_cells = [cell for pair in chosen for cell in cells(pages, pair, rows[pair])]
    first = chosen[0]
    if not rows[first]:
        raise BadInputError(
            f"No page was captured with both {first.new} and {first.reference} over one of C01 to C12, with a value of "
            "onLoad or onContentLoaded; name other stacks with --pair NEW/REFERENCE."
        )
    caches = [cache for cache in CACHES if any(load.cache == cache for load in visits.loads)]
    stacks = list(dict.fromkeys(stack for pair in chosen for stack in (pair.reference, pair.new)))
    known = means(pages)
    network_effects = effects(known, stacks, caches)
    drawn = boxes(known, [first.reference, first.new], metric="plt", cache="cold")
    phases = phase_rows(pages, stacks, caches)
    size = objects(visits.loads)
    networks = [batch.networks[name] for name in configured]
    lines = [line for pair in chosen for line in summary(pair, [cell for cell in all_cells if cell.pair == pair])]
    sections = [
        Section("table", "Table III", [*_method(networks, first), tables.table_three(all_cells),
                                       tables.summary_table(lines), Folded(tables.cell_table(all_cells))]),
        Section("differences", "Figure 3", [
            *(f"The batch has no visit with the {CACHES[cache]}." for cache in CACHES if cache not in caches),
            Panels([figures.differences(rows[first], metric, cache) for cache in caches for metric in EVENTS],
                   f"Pages sorted by mean({first.new}) − mean({first.reference}): below 0, QUIC is faster. One line "
                   "per network; the order of pages differs between networks."),
            Folded(tables.page_table([row for pair in chosen for row in rows[pair]])),
        ]),
        Section("boxes", "Figure 4 and the effects of the network", [
            Panels([figures.box_plots(drawn, [first.reference, first.new], metric="plt", cache="cold")],
                   "A box shows the means of the pages; the whiskers reach to 1.5 interquartile ranges."),
            Folded(detail_tables.box_table(drawn)), *_effect_words(network_effects, stacks),
            Folded(detail_tables.effect_table(network_effects)),
        ]),
        Section("phases", "Phases", [
            PHASE_NOTE, *_phase_words(phases, batch, stacks, caches),
            Folded(detail_tables.phase_table(phases)), ]),
        Section("protocols", "Protocol check", [
            "The share of responses over HTTP/3, as the servers count them; it replaces the paper’s packet capture.",
            Folded(detail_tables.protocol_table(protocol_rows(pages, stacks, caches))),
            Folded(detail_tables.load_table(visits.loads, configured)), ]),
        Section("objects", "Figure 1", [
            Panels([figures.object_cdf(size)], "Objects are requests that the servers answered on a first visit."),
            Folded(detail_tables.object_table(size)), ]),
    ]  # fmt: skip
    lead = (
        f"{plural(len(visits.loads), 'page load')} of {plural(len({load.site for load in visits.loads}), 'page')} over "
        f"{len(configured)} of the paper’s 12 networks; {listed(caches)} visits. The paper: {PAGES} pages, {RUNS} runs."
    )
    said = _said(all_cells, first)
    return report(Sheet(TITLE, lead, said, sections, visits.remarks, facts_of(batch, stacks, configured), visits.loads))


def _method(networks: Sequence[Definition], first: Pair) -> list[str]:
    """Describes the method, and its differences from the paper."""
    how = directions(networks)
    lost = f"Packets are lost {' and '.join(how)}" if how else "No network of the batch loses packets"
    rates = {str(network.definition.get(f"{way}_mbps", "a trace")) for network in networks for way in ("up", "down")}
    limited = "" if rates <= {"unlimited"} else f" Some rates are limited here ({', '.join(sorted(rates))} Mbit/s)."
    return [
        "A page counts for the stack whose mean over runs is smaller. onLoad and onContentLoaded are the times of HAR "
        "1.2, which the paper’s explanation swaps. Its cache enabled is cache state all here, disabled is cold.",
        f"{lost}; the paper does not state the direction, nor whether its delays are one way or round trips, which "
        f"they are here.{limited} The paper’s rates are unlimited, and so are above those at which the servers are "
        "shown to send equally fast.",
        f"Shown: {first}. The paper recorded pages and replayed them with Mahimahi, through a proxy, with HTTP/2 "
        "over QUIC of 2018 from Caddy; here recorded pages are replayed without a proxy, with HTTP/3 over QUIC "
        "version 1. The paper states neither TLS nor initial window nor pacing: those of the stacks here are under "
        "Provenance. TLS 1.3 saves TCP a round trip against TLS 1.2.",
    ]


def _effect_words(rows: Sequence[EffectRow], stacks: Sequence[str]) -> list[str]:
    """The largest effects of each kind, which the paper compares: onLoad, cold."""
    said = []
    for stack in stacks:
        of_stack = [row for row in rows if (row.stack, row.metric, row.cache) == (stack, "plt", "cold")]
        parts = [
            f"{effect} {largest.ratio:.2f} ({largest.at.name} to {largest.to.name})"
            for effect in ("round trip", "loss")
            if (largest := max((row for row in of_stack if row.effect == effect), key=_ratio, default=None))
        ]
        if parts:
            said.append(f"{stack}: {', '.join(parts)}")
    if not said:
        return ["No page was captured over two of these networks, so their effects are unknown."]
    return [f"Largest factors of onLoad, cold: {'; '.join(said)}. The paper sees the round trip’s large, loss’s small."]


def _ratio(row: EffectRow) -> float:
    return row.ratio


def _phase_words(rows: Sequence[PhaseRow], batch: Batch, stacks: Sequence[str], caches: Sequence[str]) -> list[str]:
    said = []
    for cache in caches:
        for stack in stacks:
            row = dominant(rows, stack, cache)
            if row is None:
                continue
            paper = DOMINANT.get(str(batch.stacks[stack].definition.get("transport")), "unknown")
            said.append(
                f"{stack}, {cache}: {row.phase.replace('_', ', ')} is the largest on {row.dominant} of "
                f"{plural(row.pages, 'page')} (paper: {paper})."
            )
    return said or ["No take has a HAR, so the phases are unknown."]


def _said(all_cells: Sequence[Cell], pair: Pair) -> list[str]:
    """Returns the sentences that the command prints: one per event and cache."""
    said = []
    for metric, event in EVENTS.items():
        for cache, mode in CACHES.items():
            of_event = [cell for cell in all_cells if (cell.pair, cell.metric, cell.cache) == (pair, metric, cache)]
            shares = [cell.percent for cell in of_event if cell.percent is not None]
            if shares:
                paper = [cell.paper_percent for cell in of_event]
                said.append(
                    f"{pair}, {event}, {mode}: faster on {_range(shares)} % of pages over "
                    f"{_places([cell.configuration for cell in of_event])} (paper: {_range(paper)} %)"
                )
    return said


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.2f}", f"{max(values):.2f}"
    return low if low == high else f"{low} to {high}"


def _places(covered: Sequence[Configuration]) -> str:
    return listed([configuration.name for configuration in covered]) if len(covered) < 12 else "C01 to C12"
