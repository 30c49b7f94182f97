"""Compares the batch's figures with those that Wolsing et al. (2019) printed. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import ClassVar, Literal

from eyelevel.compare.arms import Setting, arm, scenes, stratum
from eyelevel.compare.columns import METRIC, NETWORK, NEW, REFERENCE
from eyelevel.compare.floors import Floors
from eyelevel.compare.model import Load, Pair
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_papers.wolsing2019.gains import INTERVAL, OneTripRow
from eyelevel_papers.wolsing2019.published import DIFFERENCE_MS, GAIN, ONE_TRIP_MS, ONE_TRIP_SITES
from eyelevel_stats.arms import Difference, difference, mean_gain

Agreement = Literal["opposite", "open", "same"]


AGREEMENT: Mapping[Agreement, str] = {
    "opposite": "our interval is entirely on the opposite side of 0",
    "open": "our interval includes 0 or is unknown, or our result is within the detection floor of the films",
    "same": "our interval is entirely on the same side of 0 as the paper's result",
}


@dataclass(frozen=True)
class BesideRow:
    """A printed figure beside that of the batch.

    Ends of intervals are None where they are unknown, as those for sites like these are for a single site. `held` is
    False where the difference does not exceed the detection floor, or that is unknown.
    """

    agreement: ClassVar[Agreement] = derived(
        "agrees", "; ".join(f"{key}: {meaning}" for key, meaning in AGREEMENT.items()), head="sign"
    )
    figure: str = column("result printed in the paper")
    paper_site: str | None = column(
        "site that the printed result refers to; empty for the mean over 38 sites", head="of the paper's site"
    )
    network: str = column(NETWORK)
    new_stack: str = column(NEW)
    reference_stack: str = column(REFERENCE)
    metric: str = column(METRIC, shown="metric")
    unit: Literal["fraction", "ms"] = column("ms, or fraction for a gain; below 0: the new stack is faster")
    paper_2019: float = column("value printed in the paper", head="2019", shown="precise")
    sites: int = column("number of sites used for our result", head="sites here")
    left_out: int = column(
        "number of runs of both stacks that are censored or unknown and not used here", head="runs left out"
    )
    ours: float = column(
        "our result: mean over sites of the arithmetic means over observed runs", head="here", shown="precise"
    )
    ci_low: float | None = column(
        f"lower end of the 95 % interval of ours for these very sites ({INTERVAL}; gains: linearised)",
        head="95 %, these sites",
        shown="precise",
        until="ci_high",
    )
    ci_high: float | None = column("upper end of the 95 % interval of ours for these very sites")
    like_ci_low: float | None = column(
        "lower end of the 95 % interval of ours for sites like these (t over sites)",
        head="95 %, sites like these",
        shown="precise",
        until="like_ci_high",
    )
    like_ci_high: float | None = column("upper end of the 95 % interval of ours for sites like these")
    held: bool = part()
    paper_inside: ClassVar[bool | None] = derived(
        "inside",
        "whether an interval contains the printed value: for a mean, the interval for sites like these; for one of "
        "the paper's sites, the interval for this very site",
        head="2019 inside",
    )

    @property
    def agrees(self) -> Agreement:
        """Whether the batch's figure has the sign of the paper's; open where the interval includes 0."""
        if not self.held or self.ci_low is None or self.ci_high is None or self.ci_low <= 0 <= self.ci_high:
            return "open"
        return "same" if (self.ours < 0) == (self.paper_2019 < 0) else "opposite"

    @property
    def inside(self) -> bool | None:
        """Whether the interval contains the printed figure; for a mean, the interval for sites like these."""
        mean = self.paper_site is None
        low, high = (self.like_ci_low, self.like_ci_high) if mean else (self.ci_low, self.ci_high)
        return None if low is None or high is None else low <= self.paper_2019 <= high


BESIDE = Table("beside-2019", "Printed figures of the paper beside ours", "", BesideRow)


def beside(
    settings: Mapping[Setting, Sequence[Load]],
    pairs: Collection[Pair],
    one_trip: Iterable[OneTripRow],
    floors: Floors,
    *,
    paired: bool,
) -> list[BesideRow]:
    """Returns rows that contradict the paper first, then open ones; each group in the paper's order."""
    rows = [*_over_sites(settings, pairs, floors, paired=paired), *_table_3(settings, one_trip, floors)]
    return sorted(rows, key=lambda row: [*AGREEMENT].index(row.agreement))


def _over_sites(
    settings: Mapping[Setting, Sequence[Load]], pairs: Collection[Pair], floors: Floors, *, paired: bool
) -> Iterable[BesideRow]:
    printed = [("mean gain", place, paper) for place, paper in GAIN.items()]
    printed += [("mean difference", place, paper) for place, paper in DIFFERENCE_MS.items()]
    for figure, place, paper in printed:
        network, new, reference, metric = place
        pair = Pair(new, reference)
        if pair not in pairs:
            continue
        compared = [
            scene
            for scene in scenes(settings)
            if scene[1] == network and (*scene, new) in settings and (*scene, reference) in settings
        ]
        strata = [stratum(settings, scene, pair, metric, paired=paired) for scene in compared]
        gap_ms = difference(strata, paired=paired)
        if gap_ms is None:
            continue
        left_out = sum(
            arm(settings[*scene, stack], metric).left_out for scene in compared for stack in (new, reference)
        )
        reference_ms = mean(mean(of_reference) for of_new, of_reference in strata if of_new and of_reference)
        held = _held(place, gap_ms.difference, reference_ms, floors)
        if figure == "mean gain":
            gain: Difference | None = mean_gain(strata, paired=paired)
            if gain is not None:
                yield _row(figure, place, "fraction", paper, gain, left_out=left_out, held=held)
        else:
            yield _row(figure, place, "ms", paper, gap_ms, left_out=left_out, held=held)


def _row(
    figure: str,
    place: tuple[str, str, str, str],
    unit: Literal["fraction", "ms"],
    paper: float,
    gap: Difference,
    *,
    left_out: int,
    held: bool,
) -> BesideRow:
    like = gap.strata_ci
    return BesideRow(
        figure, None, *place, unit, paper, gap.strata, left_out, gap.difference, gap.ci_low, gap.ci_high,
        None if like is None else like.low, None if like is None else like.high, held,
    )  # fmt: skip


def _table_3(
    settings: Mapping[Setting, Sequence[Load]], rows: Iterable[OneTripRow], floors: Floors
) -> Iterable[BesideRow]:
    """Returns table 3 for its two sites, if the batch has sites of these names, with or without www. and .org."""
    named = {(row.site, row.network, row.new_stack, row.reference_stack, row.metric): row for row in rows}
    for number, site in enumerate(ONE_TRIP_SITES):
        for place, printed in ONE_TRIP_MS.items():
            names = (site.removesuffix(".org"), site, f"www.{site}")
            row = next((named[name, *place] for name in names if (name, *place) in named), None)
            if row is not None and row.corrected_ms is not None:
                reference = arm(settings[row.site, row.network, row.reference_stack], row.metric).observed
                yield BesideRow(
                    "one round trip taken off", site, *place, "ms", printed[number], 1, row.left_out, row.corrected_ms,
                    row.corrected_ci_low_ms, row.corrected_ci_high_ms, None, None,
                    _held(place, row.corrected_ms, mean(reference.values()), floors),
                )  # fmt: skip


def _held(place: tuple[str, str, str, str], value_ms: float, reference_ms: float, floors: Floors) -> bool:
    """Whether a difference exceeds the detection floor of the films."""
    network, new, reference, metric = place
    known = floors.get((network, Pair(new, reference)))
    floor_ms = None if known is None else known.ms(metric, reference_ms)
    return floor_ms is not None and abs(value_ms) > floor_ms
