"""Differences of metrics that may be 0 (TBT, CLS), for which ratios and logarithms are not defined."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from eyelevel.compare.arms import Setting, arm
from eyelevel.compare.columns import HIGH, METRIC, NETWORK, OfPair
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_stats.arms import Difference, difference

AMOUNTS = tuple(key for key in COMPARED if not METRIC_OF[key].ratio)


@dataclass(frozen=True)
class AmountRow(OfPair):
    """One network, pair and metric: means over sites of the means over observed runs, and their difference.

    Only sites with observed runs of both stacks count.
    """

    network: str = column(NETWORK)
    metric: str = column(METRIC, shown="metric")
    unit: str | None = column("unit of the values; empty for plain numbers")
    sites: int = column("number of sites with a value in both stacks")
    left_out: int = column("number of runs of both stacks without a value, which are not used")
    mean_new: float | None = column("mean over sites of the means of the new stack", head="new", shown="precise")
    mean_reference: float | None = column(
        "mean over sites of the means of the reference", head="reference", shown="precise"
    )
    estimate: Difference | None = part()
    difference: ClassVar[float | None] = derived(
        "estimate.difference",
        "mean over sites of the difference of means, new - reference; only over sites with several runs of both "
        "stacks, if there are any",
        shown="precise",
    )
    ci_low: ClassVar[float | None] = derived(
        "estimate.ci_low",
        "lower end of the 95 % interval of difference for these very sites (Welch within sites)",
        head="95 %, these very sites",
        shown="precise",
        until="ci_high",
    )
    ci_high: ClassVar[float | None] = derived("estimate.ci_high", HIGH)


AMOUNT_TABLE = Table("amounts", "Differences of blocking time and layout shift", "", AmountRow)


def amounts(settings: Mapping[Setting, Sequence[Load]], pairs: Iterable[Pair]) -> list[AmountRow]:
    """Returns a row per pair, network and metric, if a site has both stacks of the pair."""
    rows = []
    for pair in pairs:
        networks: dict[str, list[str]] = {}
        for site, network, stack in settings:
            if stack == pair.new and (site, network, pair.reference) in settings:
                networks.setdefault(network, []).append(site)
        rows += [
            _row(network, pair, metric, sites, settings) for network, sites in networks.items() for metric in AMOUNTS
        ]
    return rows


def _row(
    network: str, pair: Pair, metric: str, sites: Sequence[str], settings: Mapping[Setting, Sequence[Load]]
) -> AmountRow:
    arms = [[arm(settings[site, network, stack], metric) for stack in (pair.new, pair.reference)] for site in sites]
    known = [(new.values, reference.values) for new, reference in arms if new.observed and reference.observed]
    return AmountRow(
        pair,
        network,
        metric,
        METRIC_OF[metric].unit or None,
        sites=len(known),
        left_out=sum(side.left_out for both in arms for side in both),
        mean_new=_mean_of_means([new for new, _ in known]),
        mean_reference=_mean_of_means([reference for _, reference in known]),
        estimate=difference(known),
    )


def _mean_of_means(samples: Sequence[Sequence[float]]) -> float | None:
    return fsum(fsum(values) / len(values) for values in samples) / len(samples) if samples else None
