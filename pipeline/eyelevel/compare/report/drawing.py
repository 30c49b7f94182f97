"""All figures of the report, by section."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.bars import average_bars
from eyelevel.compare.report.cdf import cdf
from eyelevel.compare.report.forest import forest
from eyelevel.compare.report.runs import run_marks
from eyelevel.report.canvas import Figure
from eyelevel.report.site_bars import site_bars
from eyelevel_core.model.metrics import LABELS, MAIN


@dataclass(frozen=True)
class Figures:
    """Distributions are by network, a panel per metric."""

    forests: Sequence[Figure]
    runs: Sequence[Figure]
    distributions: Mapping[str, Sequence[Figure]]
    averages: Sequence[Figure]
    sites: Figure

    def all(self) -> list[Figure]:
        panels = [panel for own in self.distributions.values() for panel in own]
        return [*self.forests, *self.runs, *panels, *self.averages, self.sites]


def draw(comparison: Comparison) -> Figures:
    networks = comparison.networks
    return Figures(
        forests=[
            forest(network, [row for row in comparison.overall if row.network == network], f"gain-{network}")
            for network in networks
        ],
        runs=[
            run_marks(network, "si", [load for load in comparison.loads if load.network == network], f"runs-{network}")
            for network in networks
        ],
        distributions={network: _distributions(comparison, network) for network in networks},
        averages=[average_bars(network, _averages(comparison, network), f"average-{network}") for network in networks],
        sites=site_bars(comparison.sites, "sites"),
    )


def _distributions(comparison: Comparison, network: str) -> list[Figure]:
    rows = [row for row in comparison.reference_gains if row.network == network]
    span = [row.gain for row in rows if row.gain is not None]
    panels = []
    for metric in MAIN:
        gains: dict[str, list[float]] = {row.new: [] for row in rows}
        for row in rows:
            if row.metric == metric and row.gain is not None:
                gains[row.new].append(row.gain)
        head = f"{network}, {LABELS[metric]}"
        panels.append(cdf(head, comparison.choices.reference, gains, span, f"cdf-{network}-{metric}"))
    return panels


def _averages(comparison: Comparison, network: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in comparison.averages:
        if row.network == network and row.mean_gain is not None:
            found.setdefault(f"{row.new} against {row.reference}", {})[row.metric] = row.mean_gain
    return found
