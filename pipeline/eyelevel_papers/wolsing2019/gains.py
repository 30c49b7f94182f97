"""The analysis of 2019: gains of means, ANOVA at p < 0.01, average gains, gains less one round trip."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median

from eyelevel.compare.arms import Setting, arm, scenes, stratum
from eyelevel.compare.columns import METRIC, NETWORK, NEW, REFERENCE, SITE
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import MAIN
from eyelevel_core.model.network import round_trip_ms
from eyelevel_core.model.take import Definition
from eyelevel_core.tables import Column, Table, column, columns, part
from eyelevel_papers.wolsing2019.published import (
    DIFFERENCE_MS,
    GAIN,
    ONE_TRIP_MS,
    ONE_TRIP_SITES,
    REFERENCE_INFERRED,
)
from eyelevel_stats.arms import Verdict, anova, difference, performance_gain, verdict

Settings = Mapping[Setting, Sequence[Load]]


INTERVAL = "Welch; paired runs: Student over blocks"
CI_LOW, CI_HIGH = (f"{end} end of the difference's 95 % interval ({INTERVAL})" for end in ("lower", "upper"))
GAIN_OF_38 = "mean gain printed in the paper for its 38 sites; a fraction"


@dataclass(frozen=True)
class GainRow:
    """One site, network, pair and metric. Means are over observed runs; the others are counted.

    The ends of the interval are None where there are fewer than two runs, or blocks where runs are paired.
    """

    site: str = column(SITE)
    network: str = column(NETWORK, shown="hidden")
    new_stack: str = column(NEW, shown="hidden")
    reference_stack: str = column(REFERENCE, shown="hidden")
    metric: str = column(METRIC, shown="metric")
    runs_new: int = column("number of observed runs of the new stack")
    runs_reference: int = column("number of observed runs of the reference", head="reference")
    left_out_new: int = column("number of runs of the new stack that are censored or unknown and not used here")
    left_out_reference: int = column(
        "number of runs of the reference that are censored or unknown and not used here", head="reference"
    )
    mean_new_ms: float | None = column("arithmetic mean over the runs of the new stack", head="new, ms", shown="ms")
    mean_reference_ms: float | None = column(
        "arithmetic mean over the runs of the reference", head="reference, ms", shown="ms"
    )
    difference_ms: float | None = column("mean_new_ms - mean_reference_ms", shown="signed_ms")
    difference_ci_low_ms: float | None = column(CI_LOW, shown="hidden")
    difference_ci_high_ms: float | None = column(CI_HIGH, shown="hidden")
    gain: float | None = column(
        "difference_ms / mean_reference_ms, as a fraction; below 0: the new stack is faster", shown="percent"
    )
    anova_f: float | None = column("F of the one-way ANOVA of the runs of the two stacks", shown="hidden")
    anova_p_value: float | None = column("p-value of the ANOVA", head="ANOVA p", shown="p")
    verdict: Verdict | None = column(
        "stack with the lower mean if p < 0.01, otherwise undecided; empty if F is undefined", head="faster, p < 0.01"
    )


@dataclass(frozen=True)
class AverageRow:
    """The gains of one network, pair and metric over sites, each site once, beside the printed ones."""

    network: str = column(NETWORK)
    new_stack: str = column(NEW)
    reference_stack: str = column(REFERENCE)
    metric: str = column(METRIC, shown="metric")
    sites: int = column("number of sites with a gain")
    mean_gain: float | None = column(
        "mean over sites of the performance gain, as a fraction; below 0: the new stack is faster", shown="percent"
    )
    median_gain: float | None = column(
        "median over sites of the performance gain, as a fraction; below 0: the new stack is faster", shown="percent"
    )
    mean_difference_ms: float | None = column(
        "mean over sites of the difference of means, new - reference", shown="signed_ms"
    )
    faster: int = part()
    slower: int = part()
    undecided: int = part()
    untested: int = part()
    paper_2019_mean_gain: float | None = column(GAIN_OF_38, head="paper 2019, gain", shown="percent")
    paper_2019_reference: str | None = column(
        "stated: the paper names the reference stack of this gain; inferred: it does not, and the likely stack is used",
        head="its reference",
    )
    paper_2019_mean_difference_ms: float | None = column(
        "mean difference printed in the paper for its 38 sites", head="paper 2019, ms", shown="signed_ms"
    )


OF_SITES = [
    Column(f"paper_2019_{site.replace('.', '_')}_ms", "number", "ms",
           f"corrected_ms of {site} in table 3 of the paper",
           head=f"2019: {site}, ms", format="signed_ms")
    for site in ONE_TRIP_SITES
]  # fmt: skip


@dataclass(frozen=True)
class OneTripRow:
    """mean(new) - (mean(reference) - one RTT) in ms: the rest of QUIC's gain without its shorter handshake."""

    site: str = column(SITE)
    network: str = column(NETWORK)
    new_stack: str = column(NEW)
    reference_stack: str = column(REFERENCE)
    metric: str = column(METRIC, shown="metric")
    left_out: int = column("number of runs of both stacks that are censored or unknown and not used here")
    rtt_ms: float | None = column("round-trip time of the network, without queueing", head="RTT, ms", shown="ms")
    difference_ms: float | None = column("mean(new) - mean(reference)", shown="signed_ms")
    corrected_ms: float | None = column(
        "mean(new) - (mean(reference) - rtt_ms); below 0: the new stack is faster beyond its shorter handshake",
        head="one RTT taken off, ms",
        shown="signed_ms",
    )
    corrected_ci_low_ms: float | None = column(
        f"lower end of the 95 % interval of corrected_ms ({INTERVAL})",
        head="95 % interval",
        shown="signed_ms",
        until="corrected_ci_high_ms",
    )
    corrected_ci_high_ms: float | None = column(f"upper end of the 95 % interval of corrected_ms ({INTERVAL})")
    corrected_rtts: float | None = column(
        "corrected_ms as a multiple of the network's round-trip time", head="in round trips"
    )
    paper: Mapping[str, float | None] = columns(*OF_SITES)


GAINS = Table("gains-2019", "Performance gain per site", "", GainRow)
AVERAGES = Table("average-gains-2019", "Average gain over sites", "", AverageRow)
ONE_TRIP = Table(
    "one-rtt-2019", "Sites with a single server: what is left once a round trip is taken off", "", OneTripRow
)
ONE_TRIP_PAIRS = (Pair("QUIC", "TCP+"), Pair("QUIC+BBR", "TCP+BBR"))
ONE_TRIP_METRICS = ("fvc", "plt")


def gains(settings: Settings, pairs: Iterable[Pair], *, paired: bool) -> list[GainRow]:
    """Computes the gains of every pair in every scene in which both of its stacks were captured."""
    return [
        _gain(site, network, pair, metric, settings, paired=paired)
        for pair in pairs
        for site, network in scenes(settings)
        if (site, network, pair.new) in settings and (site, network, pair.reference) in settings
        for metric in MAIN
    ]


def _gain(site: str, network: str, pair: Pair, metric: str, settings: Settings, *, paired: bool) -> GainRow:
    new, reference = (arm(settings[site, network, stack], metric) for stack in (pair.new, pair.reference))
    performance = performance_gain(new.values, reference.values)
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
        mean_new_ms=None if performance is None else performance.mean_new_ms,
        mean_reference_ms=None if performance is None else performance.mean_reference_ms,
        difference_ms=None if performance is None else performance.difference_ms,
        difference_ci_low_ms=None if gap is None else gap.ci_low,
        difference_ci_high_ms=None if gap is None else gap.ci_high,
        gain=None if performance is None else performance.gain,
        anova_f=None if test is None else test.f,
        anova_p_value=None if test is None else test.p_value,
        verdict=verdict(test),
    )


def averages(rows: Iterable[GainRow]) -> list[AverageRow]:
    groups: dict[tuple[str, str, str, str], list[GainRow]] = {}
    for row in rows:
        groups.setdefault((row.network, row.new_stack, row.reference_stack, row.metric), []).append(row)
    return [_average(key, group) for key, group in groups.items()]


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
        paper_2019_mean_gain=GAIN.get(key),
        paper_2019_reference=None if key not in GAIN else "inferred" if key in REFERENCE_INFERRED else "stated",
        paper_2019_mean_difference_ms=DIFFERENCE_MS.get(key),
    )


def one_trip(
    rows: Iterable[GainRow], networks: Mapping[str, Definition], servers: Mapping[str, int | None]
) -> list[OneTripRow]:
    """Computes the gains less one RTT for sites with a single server, as in the paper; None without a known RTT."""
    table = []
    for row in rows:
        asked = Pair(row.new_stack, row.reference_stack) in ONE_TRIP_PAIRS and row.metric in ONE_TRIP_METRICS
        if not asked or servers.get(row.site) != 1:
            continue
        rtt = round_trip_ms(networks[row.network].definition)
        gap = (row.difference_ms, row.difference_ci_low_ms, row.difference_ci_high_ms)
        corrected, low, high = (None if rtt is None or part is None else part + rtt for part in gap)
        place = (row.network, row.new_stack, row.reference_stack, row.metric)
        table.append(
            OneTripRow(
                row.site,
                *place,
                left_out=row.left_out_new + row.left_out_reference,
                rtt_ms=rtt,
                difference_ms=row.difference_ms,
                corrected_ms=corrected,
                corrected_ci_low_ms=low,
                corrected_ci_high_ms=high,
                corrected_rtts=None if corrected is None or not rtt else corrected / rtt,
                paper=dict(zip((declared.name for declared in OF_SITES), ONE_TRIP_MS.get(place, ()), strict=False)),
            )
        )
    return table
