"""The section of a comparison's page that follows the paper."""

from collections.abc import Sequence

from eyelevel.compare.added import Section
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.parts import by_pair, grid
from eyelevel.report.table import Filled, table_element
from eyelevel_core.model.metrics import LABELS, MAIN
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import tag
from eyelevel_papers.wolsing2019.anova import ANOVA, anova_rows
from eyelevel_papers.wolsing2019.bars import average_bars
from eyelevel_papers.wolsing2019.beside import BESIDE
from eyelevel_papers.wolsing2019.cdf import cdf
from eyelevel_papers.wolsing2019.gains import AVERAGES, GAINS, ONE_TRIP, AverageRow, GainRow
from eyelevel_papers.wolsing2019.replication import replicate

AVERAGES_NOTE = (
    "The paper's column is for 38 other sites in versions of 2018 and 2019, on other servers: compare only the signs, "
    "not the sizes. The reference of a gain is inferred if the paper does not print it."
)
ANOVA_NOTE = "The layout and the lack of a correction for multiple tests follow the slides of 2019."
ONE_TRIP_NOTE = "The columns of the paper are from its table 3, for its two sites with a single server."
BESIDE_NOTE = (
    "Rows that contradict the paper come first. Only signs are compared: sites, versions and servers differ. Gains are "
    "fractions, differences are in ms."
)


def section(comparison: Comparison) -> Section:
    """Returns the section with the analysis of 2019 for the compared loads."""
    replication = replicate(comparison)
    reference = comparison.choices.reference
    tables = [
        Filled(GAINS, replication.gains),
        Filled(AVERAGES, replication.averages, AVERAGES_NOTE),
        Filled(ANOVA, anova_rows(replication.averages), ANOVA_NOTE),
        Filled(ONE_TRIP, replication.one_trip, ONE_TRIP_NOTE),
        Filled(BESIDE, replication.beside, BESIDE_NOTE),
    ]
    by_site, average, anova, handshake, printed = tables
    panels = {
        network: _distributions(replication.reference_gains, network, reference) for network in comparison.networks
    }
    bars = [average_bars(network, _averages(replication.averages, network), f"average-{network}") for network in panels]
    nothing = tag("p", "No compared site has a single server with both stacks, so there is nothing to show.")
    content = [
        tag(
            "p",
            "The paper’s method, on this batch: gain = (mean(new) − mean(reference)) / mean(reference). This section "
            "repeats the method, not the result: sites, servers and versions differ. Runs without an observed value "
            "are excluded here, and counted.",
        ),
        *([tag("h3", "Beside the printed figures"), table_element(printed)] if printed.rows else []),
        tag("h3", "Distribution of the gain over sites"),
        *(
            grid(
                of_network,
                f"{network}, as in figure 3 of the paper: gains against {reference}, left of 0 faster.",
                "figures small",
            )
            for network, of_network in panels.items()
        ),
        tag("h3", "Average gains"),
        grid(bars, "As figures 1 and 2 of the blog: the mean over sites of the gains.", "figures"),
        table_element(average),
        tag("h3", "Significance"),
        table_element(anova),
        tag("h3", "One round trip taken off"),
        table_element(handshake) if handshake.rows else nothing,
        tag("h3", "Gains site by site"),
        *by_pair(
            by_site, [(f"{row.new_stack} against {row.reference_stack}", row.network) for row in replication.gains]
        ),
    ]
    drawn = [*(panel for of_network in panels.values() for panel in of_network), *bars]
    return Section("replication", "As in 2019", tables, drawn, content)


def _distributions(gains: Sequence[GainRow], network: str, reference: str) -> list[Drawing]:
    """Draws a panel per metric."""
    rows = [row for row in gains if row.network == network]
    span = [row.gain for row in rows if row.gain is not None]
    panels = []
    for metric in MAIN:
        gains_of: dict[str, list[float]] = {row.new_stack: [] for row in rows}
        for row in rows:
            if row.metric == metric and row.gain is not None:
                gains_of[row.new_stack].append(row.gain)
        panels.append(cdf(f"{network}, {LABELS[metric]}", reference, gains_of, span, f"cdf-{network}-{metric}"))
    return panels


def _averages(rows: Sequence[AverageRow], network: str) -> dict[str, dict[str, float]]:
    mean_gains: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.network == network and row.mean_gain is not None:
            mean_gains.setdefault(f"{row.new_stack} against {row.reference_stack}", {})[row.metric] = row.mean_gain
    return mean_gains
