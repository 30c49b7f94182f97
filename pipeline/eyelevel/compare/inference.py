"""Inference: tests of log ratios with site-clustered intervals and correction for multiple tests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import ClassVar, Literal

from eyelevel.compare.arms import Setting, arm, scenes
from eyelevel.compare.columns import HIGH, METRIC, NETWORK, NEW, REFERENCE, SITE, OfPair
from eyelevel.compare.floors import Floors
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_core.tables import Column, Table, column, derived, part
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


CORRECTIONS: Mapping[Correction, str] = {"holm": "Holm", "bh": "Benjamini-Hochberg"}
FRACTION = "a fraction; below 0: the new stack is faster"
# CORRECTION is replaced by the name of the chosen correction
CORRECTED = (
    "two-sided p-value corrected by CORRECTION over the pair's rows with metrics of the same group: the five main "
    "metrics, or the metrics of the browser"
)


@dataclass(frozen=True)
class SiteTest:
    """One site, network, pair and metric, with times restricted to the limit.

    `p_adjusted` is corrected among all tests of the pair with metrics of the same group.
    """

    site: str = column(SITE)
    network: str = column(NETWORK, shown="hidden")
    pair: Pair = part()
    new_stack: ClassVar[str] = derived("pair.new", NEW, shown="hidden")
    reference_stack: ClassVar[str] = derived("pair.reference", REFERENCE, shown="hidden")
    metric: str = column(METRIC, shown="metric")
    test: LogTest | None = part()
    method: ClassVar[str | None] = derived(
        "test.method", "welch: two samples of log times; paired: log ratios within blocks", shown="hidden"
    )
    runs_new: ClassVar[int | None] = derived("test.n_new", "number of runs or blocks of the new stack used")
    runs_reference: ClassVar[int | None] = derived(
        "test.n_reference", "number of runs or blocks of the reference used", head="reference"
    )
    censored_new: int = column("number of these runs of the new stack that are set to the time limit")
    censored_reference: int = column(
        "number of these runs of the reference that are set to the time limit", head="reference"
    )
    unknown_new: int = column("number of runs of the new stack without a value, which are not used", shown="hidden")
    unknown_reference: int = column(
        "number of runs of the reference without a value, which are not used", shown="hidden"
    )
    gain: ClassVar[float | None] = derived(
        "test.gain", f"ratio of geometric means minus 1; {FRACTION}", shown="percent"
    )
    gain_ci_low: ClassVar[float | None] = derived(
        "test.gain_ci_low", "lower end of the 95 % interval of gain", head="95 %", shown="percent", until="gain_ci_high"
    )
    gain_ci_high: ClassVar[float | None] = derived("test.gain_ci_high", HIGH)
    t: ClassVar[float | None] = derived("test.t", "t statistic of the test", shown="hidden")
    degrees_of_freedom: ClassVar[float | None] = derived(
        "test.freedom", "degrees of freedom of the test", shown="hidden"
    )
    p_value: ClassVar[float | None] = derived("test.p_value", "two-sided p-value of the test", head="p", shown="p")
    difference_ms: float | None = part()
    reference_ms: float | None = part()
    p_adjusted: float | None = column(CORRECTED, head="p, CORRECTION", shown="p", default=None)
    rank_p_value: ClassVar[float | None] = derived(
        "test.rank_p_value",
        "p-value of the Mann-Whitney test, or of Wilcoxon's signed-rank test for paired runs",
        shown="hidden",
    )
    hedges_g: ClassVar[float | None] = derived(
        "test.hedges_g", "effect in standard deviations of log time; below 0: the new stack is faster", head="Hedges’ g"
    )
    superiority: ClassVar[float | None] = derived(
        "test.superiority",
        "probability that a run of the new stack is faster than a run of the reference; a fraction",
        head="new faster",
        shown="share",
    )
    smallest_gain: ClassVar[float | None] = derived(
        "test.smallest_speed_up",
        "smallest gain that a test with this number of runs detects with a probability of 80 %, at the 5 % level "
        "before correction; a fraction",
        head="smallest found, uncorrected",
        shown="percent",
    )
    not_estimated_because: ClassVar[str | None] = derived("test.reason", "reason why there is no test", shown="hidden")

    @property
    def decided(self) -> bool:
        return self.p_adjusted is not None and self.p_adjusted < LEVEL


@dataclass(frozen=True)
class OverallTest(OfPair):
    """One network, pair and metric over all sites. `floor_ms` is None if it is unknown."""

    network: str = column(NETWORK)
    metric: str = column(METRIC, shown="metric")
    estimate: Overall | None = part()
    sites: int = column("number of sites with both stacks")
    runs: int = column("number of runs of both stacks used")
    censored_runs: int = column("number of these runs that never settled and are set to the time limit", shown="hidden")
    gain: ClassVar[float | None] = derived(
        "estimate.gain", f"geometric mean over sites of the ratio of times, minus 1; {FRACTION}", shown="percent"
    )
    gain_ci_low: ClassVar[float | None] = derived(
        "estimate.gain_ci_low",
        "lower end of the 95 % interval of gain for sites like these (t over sites)",
        head="95 %, sites like these",
        shown="percent",
        until="gain_ci_high",
    )
    gain_ci_high: ClassVar[float | None] = derived("estimate.gain_ci_high", HIGH)
    p_value: ClassVar[float | None] = derived(
        "estimate.p_value", "two-sided p-value for sites like these; null hypothesis: no gain", shown="hidden"
    )
    p_adjusted: float | None = column(CORRECTED, head="p, CORRECTION", shown="p")
    here_gain_ci_low: ClassVar[float | None] = derived(
        "estimate.here_ci_low",
        "lower end of the 95 % interval of gain for these very sites",
        head="95 %, these very sites",
        shown="percent",
        until="here_gain_ci_high",
    )
    here_gain_ci_high: ClassVar[float | None] = derived("estimate.here_ci_high", HIGH)
    here_p_value: ClassVar[float | None] = derived(
        "estimate.here_p_value", "two-sided p-value for these very sites; null hypothesis: no gain", shown="hidden"
    )
    here_p_adjusted: float | None = column(CORRECTED, head="p, CORRECTION", shown="p")
    sites_sd_log: ClassVar[float | None] = derived(
        "estimate.site_sd_log", "standard deviation of the sites' log ratios", shown="hidden"
    )
    smallest_gain: ClassVar[float | None] = derived(
        "estimate.smallest_speed_up",
        "smallest gain that a test over this number of such sites detects with a probability of 80 %, at the 5 % "
        "level before correction; after correction, only larger gains are detected; a fraction",
        head="smallest found, uncorrected",
        shown="percent",
    )
    difference_ms: float | None = column(
        "mean over sites of the difference of mean times, new - reference", shown="signed_ms"
    )
    floor_ms: float | None = column(
        "detection floor: largest difference that can come from the films' alignment (for visual metrics) and from "
        "the cost of filming; smaller differences cannot be interpreted; empty if unknown"
    )
    not_estimated_because: ClassVar[str | None] = derived(
        "estimate.reason", "reason why there is no interval over sites", shown="hidden"
    )

    @property
    def decided(self) -> bool:
        """Whether a difference may be claimed for sites like these.

        This needs the test over sites and, if it is possible, the test of these very sites: the gains of a few sites
        may agree by chance although the runs of each site vary too much to show a gain there.
        """
        here = self.here_p_adjusted is None or self.decided_here
        return here and self.p_adjusted is not None and self.p_adjusted < LEVEL

    @property
    def decided_here(self) -> bool:
        """Whether a difference may be claimed for these very sites."""
        return self.here_p_adjusted is not None and self.here_p_adjusted < LEVEL

    @property
    def under_floor(self) -> bool:
        return self.floor_ms is not None and self.difference_ms is not None and abs(self.difference_ms) <= self.floor_ms

    @property
    def floor_unknown(self) -> bool:
        """Whether this is a visual metric of films with unknown alignment."""
        return METRIC_OF[self.metric].visual and self.floor_ms is None

    @property
    def readable(self) -> bool:
        """Whether the difference is above a known detection floor."""
        return not (self.under_floor or self.floor_unknown)


@dataclass(frozen=True)
class OfCorrection(Table):
    """A table whose columns name the chosen correction."""

    correction: Correction = "holm"

    @property
    def columns(self) -> tuple[Column, ...]:
        name = CORRECTIONS[self.correction]
        return tuple(
            replace(
                each,
                description=each.description.replace("CORRECTION", name),
                head=each.head.replace("CORRECTION", name),
            )
            for each in super().columns
        )


def overall_table(correction: Correction) -> Table:
    return OfCorrection("overall", "Geometric mean gain over sites", "", OverallTest, correction=correction)


def site_table(correction: Correction) -> Table:
    return OfCorrection("site-tests", "Tests per site", "", SiteTest, correction=correction)


def site_tests(
    settings: Mapping[Setting, Sequence[Load]],
    pairs: Iterable[Pair],
    *,
    limits_ms: Mapping[str, float],
    paired: bool,
    correction: Correction,
) -> list[SiteTest]:
    """Tests every pair in every scene with both stacks, by every metric that is compared by ratio.

    If paired, the tests are within blocks of one run number.
    """
    tests: list[SiteTest] = []
    for pair in pairs:
        rows = [
            _test(site, network, pair, metric, settings, limit_ms=limits_ms[network], paired=paired)
            for site, network in scenes(settings)
            if (site, network, pair.new) in settings and (site, network, pair.reference) in settings
            for metric in RATIOS
        ]
        adjusted = _adjusted(rows, [None if row.test is None else row.test.p_value for row in rows], correction)
        tests += [replace(row, p_adjusted=p) for row, p in zip(rows, adjusted, strict=True)]
    return tests


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
    new, reference = (each.restricted(limit_ms) for each in arms)
    shared = sorted(new.keys() & reference.keys())
    if paired:
        new, reference = ({run: each[run] for run in shared} for each in (new, reference))
        test = compare_blocks([(new[run], reference[run]) for run in shared])
    else:
        test = compare_logs([*new.values()], [*reference.values()])
    return SiteTest(
        site,
        network,
        pair,
        metric,
        test=test,
        censored_new=len(arms[0].censored),
        censored_reference=len(arms[1].censored),
        unknown_new=len(arms[0].unknown),
        unknown_reference=len(arms[1].unknown),
        difference_ms=_mean(new.values()) - _mean(reference.values()) if new and reference else None,
        reference_ms=_mean(reference.values()) if new and reference else None,
    )


def overall_tests(rows: Sequence[SiteTest], floors: Floors, *, correction: Correction) -> list[OverallTest]:
    """Computes the tests over sites from those per site; adjusts them by pair among networks and metrics of a group."""
    groups: dict[tuple[Pair, str, str], list[SiteTest]] = {}
    for row in rows:
        groups.setdefault((row.pair, row.network, row.metric), []).append(row)
    tests: list[OverallTest] = []
    for pair in dict.fromkeys(row.pair for row in rows):
        over = [_overall(key, group, floors) for key, group in groups.items() if key[0] == pair]
        adjusted = _adjusted(over, [row.estimate.p_value if row.estimate else None for row in over], correction)
        here = _adjusted(over, [row.estimate.here_p_value if row.estimate else None for row in over], correction)
        tests += [replace(row, p_adjusted=p, here_p_adjusted=q) for row, p, q in zip(over, adjusted, here, strict=True)]
    return tests


def _adjusted(
    rows: Sequence[SiteTest] | Sequence[OverallTest], p_values: Sequence[float | None], correction: Correction
) -> list[float | None]:
    """Adjust each group of metrics separately, so that the browser's metrics cost the main metrics no power."""
    groups = [METRIC_OF[row.metric].group for row in rows]
    adjusted: list[float | None] = [None] * len(rows)
    for group in set(groups):
        places = [place for place, other in enumerate(groups) if other == group]
        for place, p in zip(places, ADJUST[correction]([p_values[place] for place in places]), strict=True):
            adjusted[place] = p
    return adjusted


def _overall(key: tuple[Pair, str, str], rows: Sequence[SiteTest], floors: Floors) -> OverallTest:
    pair, network, metric = key
    tests = [row.test for row in rows if row.test is not None]
    differences = [row.difference_ms for row in rows if row.difference_ms is not None]
    references = [row.reference_ms for row in rows if row.reference_ms is not None]
    estimate = overall(tests)
    return OverallTest(
        pair,
        network,
        metric,
        estimate,
        sites=0 if estimate is None else estimate.sites,
        runs=sum(test.n_new + test.n_reference for test in tests),
        censored_runs=sum(row.censored_new + row.censored_reference for row in rows),
        difference_ms=_mean(differences) if differences else None,
        floor_ms=floors[network, pair].ms(metric, _mean(references) if references else None),
        p_adjusted=None,
        here_p_adjusted=None,
    )


def _mean(values: Iterable[float]) -> float:
    held = list(values)
    return fsum(held) / len(held)
