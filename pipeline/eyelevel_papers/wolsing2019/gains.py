"""The analysis of 2019: gains of means, ANOVA at p < 0.01, average gains, gains less one round trip."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median

from eyelevel.compare.arms import Setting, arm, scenes, stratum
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import MAIN
from eyelevel_core.model.network import round_trip_ms
from eyelevel_core.model.take import Definition
from eyelevel_stats.arms import Verdict, anova, difference, performance_gain, verdict

Settings = Mapping[Setting, Sequence[Load]]


@dataclass(frozen=True)
class GainRow:
    """One site, network, pair and metric. Means are over observed runs; the others are counted.

    The interval of the difference is of 95 %: Welch's, or where runs are paired Student's over the blocks that both
    stacks have. Its ends are None where there are fewer than two runs.
    """

    site: str
    network: str
    new: str
    reference: str
    metric: str
    runs_new: int
    runs_reference: int
    left_out_new: int
    left_out_reference: int
    mean_new_ms: float | None
    mean_reference_ms: float | None
    difference_ms: float | None
    difference_ci_low_ms: float | None
    difference_ci_high_ms: float | None
    gain: float | None
    anova_f: float | None
    anova_p_value: float | None
    verdict: Verdict | None


@dataclass(frozen=True)
class AverageRow:
    """The gains of one network, pair and metric over sites, each site once."""

    network: str
    new: str
    reference: str
    metric: str
    sites: int
    mean_gain: float | None
    median_gain: float | None
    mean_difference_ms: float | None
    faster: int
    slower: int
    undecided: int
    untested: int


@dataclass(frozen=True)
class OneTripRow:
    """mean(new) - (mean(reference) - one RTT) in ms: what is left of QUIC's gain without its shorter handshake."""

    site: str
    network: str
    new: str
    reference: str
    metric: str
    left_out: int
    rtt_ms: float | None
    difference_ms: float | None
    corrected_ms: float | None
    corrected_ci_low_ms: float | None
    corrected_ci_high_ms: float | None

    @property
    def corrected_rtts(self) -> float | None:
        """What is left, in round trips of the network."""
        return None if self.corrected_ms is None or not self.rtt_ms else self.corrected_ms / self.rtt_ms


ONE_TRIP_PAIRS = (Pair("QUIC", "TCP+"), Pair("QUIC+BBR", "TCP+BBR"))
ONE_TRIP_METRICS = ("fvc", "plt")


def gains(settings: Settings, pairs: Iterable[Pair], *, paired: bool) -> list[GainRow]:
    """Every pair in every scene in which both of its stacks were taken."""
    return [
        _gain(site, network, pair, metric, settings, paired=paired)
        for pair in pairs
        for site, network in scenes(settings)
        if (site, network, pair.new) in settings and (site, network, pair.reference) in settings
        for metric in MAIN
    ]


def _gain(site: str, network: str, pair: Pair, metric: str, settings: Settings, *, paired: bool) -> GainRow:
    new, reference = (arm(settings[site, network, stack], metric) for stack in (pair.new, pair.reference))
    found = performance_gain(new.values, reference.values)
    gap = difference([stratum(settings, (site, network), pair, metric, paired=paired)], paired=paired)
    test = anova(new.values, reference.values)
    return GainRow(
        site,
        network,
        pair.new,
        pair.reference,
        metric,
        runs_new=len(new.observed),
        runs_reference=len(reference.observed),
        left_out_new=new.left_out,
        left_out_reference=reference.left_out,
        mean_new_ms=None if found is None else found.mean_new_ms,
        mean_reference_ms=None if found is None else found.mean_reference_ms,
        difference_ms=None if found is None else found.difference_ms,
        difference_ci_low_ms=None if gap is None else gap.ci_low,
        difference_ci_high_ms=None if gap is None else gap.ci_high,
        gain=None if found is None else found.gain,
        anova_f=None if test is None else test.f,
        anova_p_value=None if test is None else test.p_value,
        verdict=verdict(test),
    )


def averages(rows: Iterable[GainRow]) -> list[AverageRow]:
    groups: dict[tuple[str, str, str, str], list[GainRow]] = {}
    for row in rows:
        groups.setdefault((row.network, row.new, row.reference, row.metric), []).append(row)
    return [_average(key, own) for key, own in groups.items()]


def _average(key: tuple[str, str, str, str], rows: Sequence[GainRow]) -> AverageRow:
    known = [row.gain for row in rows if row.gain is not None]
    differences = [row.difference_ms for row in rows if row.difference_ms is not None]
    verdicts = [row.verdict for row in rows]
    return AverageRow(
        *key,
        sites=len(known),
        mean_gain=fsum(known) / len(known) if known else None,
        median_gain=median(known) if known else None,
        mean_difference_ms=fsum(differences) / len(differences) if differences else None,
        faster=verdicts.count("new"),
        slower=verdicts.count("reference"),
        undecided=verdicts.count("undecided"),
        untested=verdicts.count(None),
    )


def one_trip(
    rows: Iterable[GainRow], networks: Mapping[str, Definition], servers: Mapping[str, int | None]
) -> list[OneTripRow]:
    """For sites with a single server, as the paper does; an RTT that the network does not state is unknown."""
    found = []
    for row in rows:
        asked = Pair(row.new, row.reference) in ONE_TRIP_PAIRS and row.metric in ONE_TRIP_METRICS
        if not asked or servers.get(row.site) != 1:
            continue
        rtt = round_trip_ms(networks[row.network].definition)
        gap = (row.difference_ms, row.difference_ci_low_ms, row.difference_ci_high_ms)
        corrected = [None if rtt is None or part is None else part + rtt for part in gap]
        left_out = row.left_out_new + row.left_out_reference
        own = (row.site, row.network, row.new, row.reference, row.metric, left_out)
        found.append(OneTripRow(*own, rtt, row.difference_ms, *corrected))
    return found
