"""Compares the batch's figures with those that Wolsing et al. (2019) printed. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel.compare.arms import Setting, arm, scenes, stratum
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import METRIC_OF
from eyelevel_papers.wolsing2019.gains import OneTripRow
from eyelevel_papers.wolsing2019.published import DIFFERENCE_MS, GAIN, ONE_TRIP_MS, ONE_TRIP_SITES
from eyelevel_stats.arms import Difference, difference, mean_gain

Agreement = Literal["opposite", "open", "same"]
ORDER: Sequence[Agreement] = ("opposite", "open", "same")
Floors = Mapping[tuple[str, Pair], float | None]


@dataclass(frozen=True)
class BesideRow:
    """A printed figure and ours: a fraction, or ms. `paper_site` is None for means over the paper's sites.

    `sites` are those behind our figure, `left_out` the runs of both stacks without an observed value. Its interval is
    that of 95 % for these very sites, `like_ci_*` that for sites like these; ends are None where they are unknown, as
    the latter are for a single site. `held` is False where a visual metric does not exceed the alignment's detection
    floor, or that is unknown.
    """

    figure: str
    paper_site: str | None
    network: str
    new: str
    reference: str
    metric: str
    unit: Literal["fraction", "ms"]
    paper: float
    sites: int
    left_out: int
    ours: float
    ci_low: float | None
    ci_high: float | None
    like_ci_low: float | None
    like_ci_high: float | None
    held: bool

    @property
    def agreement(self) -> Agreement:
        """Whether ours has the sign of the paper's; open where the interval includes 0."""
        if not self.held or self.ci_low is None or self.ci_high is None or self.ci_low <= 0 <= self.ci_high:
            return "open"
        return "same" if (self.ours < 0) == (self.paper < 0) else "opposite"

    @property
    def paper_inside(self) -> bool | None:
        """Whether an interval contains the paper's figure: of a mean that for sites like these, as sites differ."""
        mean = self.paper_site is None
        low, high = (self.like_ci_low, self.like_ci_high) if mean else (self.ci_low, self.ci_high)
        return None if low is None or high is None else low <= self.paper <= high


def beside(
    settings: Mapping[Setting, Sequence[Load]],
    pairs: Collection[Pair],
    one_trip: Iterable[OneTripRow],
    floors: Floors,
    *,
    paired: bool,
) -> list[BesideRow]:
    """Rows that contradict the paper first, then open ones; each group in the paper's order."""
    rows = [*_over_sites(settings, pairs, floors, paired=paired), *_table_3(one_trip, floors)]
    return sorted(rows, key=lambda row: ORDER.index(row.agreement))


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
        held = _held(place, gap_ms.difference, floors)
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
    found: Difference,
    *,
    left_out: int,
    held: bool,
) -> BesideRow:
    like = found.strata_ci
    return BesideRow(
        figure, None, *place, unit, paper, found.strata, left_out, found.difference, found.ci_low, found.ci_high,
        None if like is None else like.low, None if like is None else like.high, held,
    )  # fmt: skip


def _table_3(rows: Iterable[OneTripRow], floors: Floors) -> Iterable[BesideRow]:
    """Table 3, for its two sites, if the batch has them by their names, with or without www. and .org."""
    named = {(row.site, row.network, row.new, row.reference, row.metric): row for row in rows}
    for number, site in enumerate(ONE_TRIP_SITES):
        for place, printed in ONE_TRIP_MS.items():
            names = (site.removesuffix(".org"), site, f"www.{site}")
            row = next((named[name, *place] for name in names if (name, *place) in named), None)
            if row is not None and row.corrected_ms is not None:
                yield BesideRow(
                    "one round trip taken off", site, *place, "ms", printed[number], 1, row.left_out, row.corrected_ms,
                    row.corrected_ci_low_ms, row.corrected_ci_high_ms, None, None,
                    _held(place, row.corrected_ms, floors),
                )  # fmt: skip


def _held(place: tuple[str, str, str, str], value_ms: float, floors: Floors) -> bool:
    """Whether a difference is more than the films' alignment may be off by; only visual metrics depend on it."""
    network, new, reference, metric = place
    floor_ms = floors.get((network, Pair(new, reference)))
    return not METRIC_OF[metric].visual or (floor_ms is not None and abs(value_ms) > floor_ms)
