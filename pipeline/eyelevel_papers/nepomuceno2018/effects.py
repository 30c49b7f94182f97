"""Effects of round trip and loss per page, and the boxes of figure 4. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log
from typing import Literal

import numpy as np

from eyelevel.compare.arms import arm
from eyelevel_papers.nepomuceno2018.pages import Loads
from eyelevel_papers.nepomuceno2018.published import CONFIGURATIONS, EVENTS, LOSSES, RTTS_MS, Configuration
from eyelevel_stats.intervals import student_half_widths

# by site the page's mean time in ms, of each configuration, cache, stack and metric
Means = Mapping[tuple[Configuration, str, str, str], Mapping[str, float]]
# whiskers reach to the last value within so many interquartile ranges (J. W. Tukey, Exploratory Data Analysis, 1977)
REACH = 1.5


@dataclass(frozen=True)
class EffectRow:
    """The factor by which a page's time grows where one property of the network grows and all others stay equal.

    `ratio` is the geometric mean over `pages` pages of mean(to) / mean(at), with the 95 % interval of Student's t on
    logarithms; its ends are None for fewer than two pages.
    """

    effect: Literal["round trip", "loss"]
    at: Configuration
    to: Configuration
    stack: str
    metric: str
    cache: str
    pages: int
    ratio: float
    low: float | None
    high: float | None

    @property
    def event(self) -> str:
        return EVENTS[self.metric]


@dataclass(frozen=True)
class Box:
    """Means of the pages of one configuration and stack, in ms: quartiles, whiskers, and values beyond them."""

    configuration: Configuration
    stack: str
    pages: int
    low_ms: float
    q1_ms: float
    median_ms: float
    q3_ms: float
    high_ms: float
    outliers_ms: tuple[float, ...]


def means(pages: Loads) -> Means:
    """Computes the mean over observed runs, for every page that has one."""
    return {
        (*setting, metric): {
            site: fsum(values) / len(values) for site, loads in sites.items() if (values := arm(loads, metric).values)
        }
        for setting, sites in pages.items()
        for metric in EVENTS
    }


def effects(known: Means, stacks: Sequence[str], caches: Iterable[str]) -> list[EffectRow]:
    """Compares round trips with 20 ms at each loss, and losses with none at each round trip, over pages with both."""
    of = {(configuration.rtt_ms, configuration.loss): configuration for configuration in CONFIGURATIONS}
    steps: list[tuple[Literal["round trip", "loss"], Configuration, Configuration]] = [
        *(("round trip", of[RTTS_MS[0], lost], of[rtt_ms, lost]) for lost in LOSSES for rtt_ms in RTTS_MS[1:]),
        *(("loss", of[rtt_ms, LOSSES[0]], of[rtt_ms, lost]) for rtt_ms in RTTS_MS for lost in LOSSES[1:]),
    ]
    return [
        EffectRow(effect, at, to, stack, metric, cache, len(logs), *_ratio(logs))
        for cache in caches
        for metric in EVENTS
        for effect, at, to in steps
        for stack in stacks
        if (logs := _logs(known, at, to, (cache, stack, metric)))
    ]


def _logs(known: Means, at: Configuration, to: Configuration, rest: tuple[str, str, str]) -> list[float]:
    """By page the logarithm of the ratio."""
    few, many = known.get((at, *rest), {}), known.get((to, *rest), {})
    return [log(many[site] / few[site]) for site in sorted(few.keys() & many.keys())]


def _ratio(logs: Sequence[float]) -> tuple[float, float | None, float | None]:
    """The geometric mean and the ends of its interval."""
    centre = fsum(logs) / len(logs)
    if len(logs) < 2:
        return exp(centre), None, None
    half = float(student_half_widths(np.array([np.std(logs, ddof=1)]), np.array([len(logs)]))[0])
    return exp(centre), exp(centre - half), exp(centre + half)


def boxes(known: Means, stacks: Sequence[str], *, metric: str, cache: str) -> list[Box]:
    """Computes figure 4: one box of pages' means per configuration and stack. Quartiles interpolate linearly."""
    drawn = []
    for configuration in CONFIGURATIONS:
        for stack in stacks:
            values = sorted(known.get((configuration, cache, stack, metric), {}).values())
            if values:
                drawn.append(_box(configuration, stack, values))
    return drawn


def _box(configuration: Configuration, stack: str, values: Sequence[float]) -> Box:
    q1, median, q3 = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    reach = REACH * (q3 - q1)
    inside = [value for value in values if q1 - reach <= value <= q3 + reach]
    return Box(
        configuration,
        stack,
        len(values),
        min(inside),
        q1,
        median,
        q3,
        max(inside),
        tuple(value for value in values if not q1 - reach <= value <= q3 + reach),
    )
