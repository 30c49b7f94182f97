"""The section of a comparison's page that follows the paper."""

from collections.abc import Sequence

from eyelevel.compare.added import Section
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.parts import by_pair, grid
from eyelevel.report.table import table_element
from eyelevel_core.model.metrics import LABELS, MAIN
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import tag
from eyelevel_papers.wolsing2019.bars import average_bars
from eyelevel_papers.wolsing2019.cdf import cdf
from eyelevel_papers.wolsing2019.gains import AverageRow, GainRow
from eyelevel_papers.wolsing2019.replication import replicate
from eyelevel_papers.wolsing2019.tables import (
    anova_table,
    average_table,
    beside_table,
    gain_table,
    one_trip_table,
)


def section(comparison: Comparison) -> Section:
    """The analysis of 2019 of the loads that are compared."""
    found = replicate(comparison)
    reference = comparison.choices.reference
    tables = [
        gain_table(found.gains),
        average_table(found.averages),
        anova_table(found.averages),
        one_trip_table(found.one_trip),
        beside_table(found.beside),
    ]
    by_site, average, anova, handshake, printed = tables
    panels = {network: _distributions(found.reference_gains, network, reference) for network in comparison.networks}
    bars = [average_bars(network, _averages(found.averages, network), f"average-{network}") for network in panels]
    nothing = tag("p", "No compared site has a single server with both stacks, so there is nothing to show.")
    content = [
        tag(
            "p",
            "The paper’s own method, on this batch: gain = (mean(new) − mean(reference)) / mean(reference). It is the "
            "method that is repeated here, not the result: sites, servers and versions are others. Runs without an "
            "observed value are left out here, and counted.",
        ),
        *([tag("h3", "Beside the printed figures"), table_element(printed)] if printed.rows else []),
        tag("h3", "Distribution of the gain over sites"),
        *(
            grid(
                own,
                f"{network}, as in figure 3 of the paper: gains against {reference}, left of 0 faster.",
                "figures small",
            )
            for network, own in panels.items()
        ),
        tag("h3", "Average gains"),
        grid(bars, "As figures 1 and 2 of the blog: the mean over sites of the gains.", "figures"),
        table_element(average),
        tag("h3", "Significance"),
        table_element(anova),
        tag("h3", "One round trip taken off"),
        table_element(handshake) if handshake.rows else nothing,
        tag("h3", "Gains site by site"),
        *by_pair(by_site, [(f"{row.new} against {row.reference}", row.network) for row in found.gains]),
    ]
    drawn = [*(panel for own in panels.values() for panel in own), *bars]
    return Section("replication", "As in 2019", tables, drawn, content)


def _distributions(gains: Sequence[GainRow], network: str, reference: str) -> list[Drawing]:
    """A panel per metric."""
    rows = [row for row in gains if row.network == network]
    span = [row.gain for row in rows if row.gain is not None]
    panels = []
    for metric in MAIN:
        found: dict[str, list[float]] = {row.new: [] for row in rows}
        for row in rows:
            if row.metric == metric and row.gain is not None:
                found[row.new].append(row.gain)
        panels.append(cdf(f"{network}, {LABELS[metric]}", reference, found, span, f"cdf-{network}-{metric}"))
    return panels


def _averages(rows: Sequence[AverageRow], network: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.network == network and row.mean_gain is not None:
            found.setdefault(f"{row.new} against {row.reference}", {})[row.metric] = row.mean_gain
    return found
