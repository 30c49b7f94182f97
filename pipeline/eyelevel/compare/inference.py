"""Inference: tests of log ratios with site-clustered intervals and correction for multiple tests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from eyelevel.compare.arms import Setting, arm, scenes
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_stats.arms import (
    LogTest,
    Overall,
    benjamini_hochberg,
    compare_blocks,
    compare_logs,
    holm,
    overall,
)

Correction = Literal["holm", "bh"]
ADJUST = {"holm": holm, "bh": benjamini_hochberg}
LEVEL = 0.05
RATIOS = tuple(key for key in COMPARED if METRIC_OF[key].ratio)


@dataclass(frozen=True)
class SiteTest:
    """One site, network, pair and metric, with times restricted to the limit.

    `adjusted_p` is corrected among all tests of the pair with metrics of the same group.
    """

    site: str
    network: str
    pair: Pair
    metric: str
    censored_new: int
    censored_reference: int
    unknown_new: int
    unknown_reference: int
    test: LogTest | None
    difference_ms: float | None
    adjusted_p: float | None = None

    @property
    def decided(self) -> bool:
        return self.adjusted_p is not None and self.adjusted_p < LEVEL


@dataclass(frozen=True)
class OverallTest:
    """One network, pair and metric over all sites.

    `floor_ms` is the alignment's detection floor, for visual metrics; None where it is unknown, and for PLT.
    """

    network: str
    pair: Pair
    metric: str
    runs: int
    censored: int
    found: Overall | None
    difference_ms: float | None
    floor_ms: float | None
    adjusted_p: float | None = None
    here_adjusted_p: float | None = None

    @property
    def decided(self) -> bool:
        """Whether a difference may be claimed for sites like these.

        This needs the test over sites and, where it can be made, the test of these very sites: the gains of a few
        sites may agree by chance although the runs of each site vary too much to show a gain there.
        """
        here = self.here_adjusted_p is None or self.decided_here
        return here and self.adjusted_p is not None and self.adjusted_p < LEVEL

    @property
    def decided_here(self) -> bool:
        """Whether a difference may be claimed for these very sites."""
        return self.here_adjusted_p is not None and self.here_adjusted_p < LEVEL

    @property
    def under_floor(self) -> bool:
        return self.floor_ms is not None and self.difference_ms is not None and abs(self.difference_ms) <= self.floor_ms

    @property
    def floor_unknown(self) -> bool:
        """A visual metric of films of which it is not known how well they are aligned."""
        return METRIC_OF[self.metric].visual and self.floor_ms is None

    @property
    def readable(self) -> bool:
        """Whether the difference is more than the films' alignment could make of nothing."""
        return not (self.under_floor or self.floor_unknown)


def site_tests(
    settings: Mapping[Setting, Sequence[Load]],
    pairs: Iterable[Pair],
    *,
    limits_ms: Mapping[str, float],
    paired: bool,
    correction: Correction,
) -> list[SiteTest]:
    """Every pair in every scene that has both of its stacks, by every metric that is compared by ratio.

    Within blocks of one run number where paired.
    """
    found: list[SiteTest] = []
    for pair in pairs:
        own = [
            _test(site, network, pair, metric, settings, limit_ms=limits_ms[network], paired=paired)
            for site, network in scenes(settings)
            if (site, network, pair.new) in settings and (site, network, pair.reference) in settings
            for metric in RATIOS
        ]
        adjusted = _adjusted(own, [None if row.test is None else row.test.p_value for row in own], correction)
        found += [SiteTest(**{**vars(row), "adjusted_p": p}) for row, p in zip(own, adjusted, strict=True)]
    return found


def _test(
    site: str,
    network: str,
    pair: Pair,
    metric: str,
    settings: Mapping[Setting, Sequence[Load]],
    *,
    limit_ms: float,
    paired: bool,
) -> SiteTest:
    arms = [arm(settings[site, network, stack], metric) for stack in (pair.new, pair.reference)]
    new, reference = (own.restricted(limit_ms) for own in arms)
    shared = sorted(new.keys() & reference.keys())
    if paired:
        new, reference = ({run: own[run] for run in shared} for own in (new, reference))
        test = compare_blocks([(new[run], reference[run]) for run in shared])
    else:
        test = compare_logs([*new.values()], [*reference.values()])
    return SiteTest(
        site,
        network,
        pair,
        metric,
        censored_new=len(arms[0].censored),
        censored_reference=len(arms[1].censored),
        unknown_new=len(arms[0].unknown),
        unknown_reference=len(arms[1].unknown),
        test=test,
        difference_ms=_mean(new.values()) - _mean(reference.values()) if new and reference else None,
    )


def overall_tests(
    rows: Sequence[SiteTest], floors: Mapping[tuple[str, Pair], float | None], *, correction: Correction
) -> list[OverallTest]:
    """From the tests per site; adjusted among networks and the metrics of a group, by pair.

    `floors` are in ms, None: unknown.
    """
    groups: dict[tuple[Pair, str, str], list[SiteTest]] = {}
    for row in rows:
        groups.setdefault((row.pair, row.network, row.metric), []).append(row)
    found: list[OverallTest] = []
    for pair in dict.fromkeys(row.pair for row in rows):
        own = [_overall(key, group, floors) for key, group in groups.items() if key[0] == pair]
        adjusted = _adjusted(own, [row.found.p_value if row.found else None for row in own], correction)
        here = _adjusted(own, [row.found.here_p_value if row.found else None for row in own], correction)
        found += [
            OverallTest(**{**vars(row), "adjusted_p": p, "here_adjusted_p": q})
            for row, p, q in zip(own, adjusted, here, strict=True)
        ]
    return found


def _adjusted(
    rows: Sequence[SiteTest] | Sequence[OverallTest], p_values: Sequence[float | None], correction: Correction
) -> list[float | None]:
    """Each group of metrics is a family of its own: what browsers measure takes no power from the main metrics."""
    groups = [METRIC_OF[row.metric].group for row in rows]
    adjusted: list[float | None] = [None] * len(rows)
    for group in set(groups):
        places = [place for place, own in enumerate(groups) if own == group]
        for place, p in zip(places, ADJUST[correction]([p_values[place] for place in places]), strict=True):
            adjusted[place] = p
    return adjusted


def _overall(
    key: tuple[Pair, str, str], rows: Sequence[SiteTest], floors: Mapping[tuple[str, Pair], float | None]
) -> OverallTest:
    pair, network, metric = key
    tests = [row.test for row in rows if row.test is not None]
    differences = [row.difference_ms for row in rows if row.difference_ms is not None]
    return OverallTest(
        network,
        pair,
        metric,
        runs=sum(test.n_new + test.n_reference for test in tests),
        censored=sum(row.censored_new + row.censored_reference for row in rows),
        found=overall(tests),
        difference_ms=_mean(differences) if differences else None,
        floor_ms=floors.get((network, pair)) if METRIC_OF[metric].visual else None,
    )


def _mean(values: Iterable[float]) -> float:
    held = list(values)
    return fsum(held) / len(held)
