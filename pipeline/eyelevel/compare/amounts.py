"""Differences of what may be 0 (TBT, CLS), in its own unit: ratios and logarithms are not defined there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from eyelevel.compare.arms import Setting, arm
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_stats.arms import Difference, difference

AMOUNTS = tuple(key for key in COMPARED if not METRIC_OF[key].ratio)


@dataclass(frozen=True)
class AmountRow:
    """One network, pair and metric: means over sites of the means over observed runs, and their difference.

    Only sites with observed runs of both stacks count. `left_out` counts runs without a value.
    """

    network: str
    pair: Pair
    metric: str
    sites: int
    left_out: int
    mean_new: float | None
    mean_reference: float | None
    found: Difference | None


def amounts(settings: Mapping[Setting, Sequence[Load]], pairs: Iterable[Pair]) -> list[AmountRow]:
    """Every pair on every network that has a site with both of its stacks."""
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
        network,
        pair,
        metric,
        sites=len(known),
        left_out=sum(own.left_out for both in arms for own in both),
        mean_new=_mean_of_means([new for new, _ in known]),
        mean_reference=_mean_of_means([reference for _, reference in known]),
        found=difference(known),
    )


def _mean_of_means(samples: Sequence[Sequence[float]]) -> float | None:
    return fsum(fsum(own) / len(own) for own in samples) / len(samples) if samples else None
