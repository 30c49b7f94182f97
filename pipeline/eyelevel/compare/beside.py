"""Every figure that the paper of 2019 printed and of which the batch has its own, beside that one. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel.compare.arms import Setting, arm
from eyelevel.compare.inference import OverallTest
from eyelevel.compare.model import Load
from eyelevel.compare.published import DIFFERENCE_MS, GAIN, ONE_TRIP_MS, ONE_TRIP_SITES
from eyelevel.compare.replication import OneTripRow
from eyelevel_stats.arms import difference

Agreement = Literal["opposite", "open", "same"]
ORDER: Sequence[Agreement] = ("opposite", "open", "same")


@dataclass(frozen=True)
class BesideRow:
    """A printed figure and ours: a fraction, or ms. `paper_site` is None for means over the paper's sites.

    The interval of ours is that of 95 % for these very sites; its ends are None where it is not known. `held` is False
    where the figure is no larger than what the films' alignment may make of nothing.
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
    ours: float
    ci_low: float | None
    ci_high: float | None
    held: bool = True

    @property
    def agreement(self) -> Agreement:
        """Whether ours has the sign of the paper's, as far as the interval tells."""
        if not self.held or self.ci_low is None or self.ci_high is None or self.ci_low <= 0 <= self.ci_high:
            return "open"
        return "same" if (self.ours < 0) == (self.paper < 0) else "opposite"


def beside(
    settings: Mapping[Setting, Sequence[Load]], overall: Iterable[OverallTest], one_trip: Iterable[OneTripRow]
) -> list[BesideRow]:
    """What contradicts the paper first, then what is open; within these in the paper's order."""
    tests = {(row.network, row.pair.new, row.pair.reference, row.metric): row for row in overall}
    rows = [*_gains(tests), *_differences(settings, tests), *_one_trip(one_trip)]
    return sorted(rows, key=lambda row: ORDER.index(row.agreement))


def _gains(tests: Mapping[tuple[str, str, str, str], OverallTest]) -> Iterable[BesideRow]:
    for place, paper in GAIN.items():
        test = tests.get(place)
        if test is not None and test.found is not None:
            found = test.found
            yield BesideRow(
                "mean gain", None, *place, "fraction", paper, found.sites, found.gain, found.here_ci_low,
                found.here_ci_high, held=test.readable,
            )  # fmt: skip


def _differences(
    settings: Mapping[Setting, Sequence[Load]], tests: Mapping[tuple[str, str, str, str], OverallTest]
) -> Iterable[BesideRow]:
    for place, paper in DIFFERENCE_MS.items():
        network, new, reference, metric = place
        strata = [
            (arm(loads, metric).values, arm(settings[site, network, reference], metric).values)
            for (site, own, stack), loads in settings.items()
            if (own, stack) == (network, new) and (site, network, reference) in settings
        ]
        found = difference(strata)
        if found is not None:
            sites = sum(1 for arms in strata if all(arms))
            held = place not in tests or tests[place].readable
            yield BesideRow(
                "mean difference", None, *place, "ms", paper, sites, found.difference, found.ci_low, found.ci_high,
                held=held,
            )  # fmt: skip


def _one_trip(rows: Iterable[OneTripRow]) -> Iterable[BesideRow]:
    """Table 3, for its two sites: ours are found by their name, with or without www. and the domain's end."""
    named = {(_plain(row.site), row.network, row.new, row.reference, row.metric): row for row in rows}
    for number, site in enumerate(ONE_TRIP_SITES):
        for place, printed in ONE_TRIP_MS.items():
            row = named.get((_plain(site), *place))
            if row is not None and row.corrected_ms is not None:
                yield BesideRow(
                    "one round trip taken off", site, *place, "ms", printed[number], 1, row.corrected_ms,
                    row.corrected_ci_low_ms, row.corrected_ci_high_ms,
                )  # fmt: skip


def _plain(site: str) -> str:
    return site.removeprefix("www.").split(".")[0]
