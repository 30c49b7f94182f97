"""Splits the runs of a site, network and stack into observed, censored and unknown values of a metric."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import METRIC_OF
from eyelevel_stats.arms.difference import Stratum

Setting = tuple[str, str, str]


@dataclass(frozen=True)
class Arm:
    """Values by run number, in ms if they are times.

    `censored` runs ended at the limit before the metric was known; `unknown` runs have no value for another reason.
    """

    observed: Mapping[int, float] = field(default_factory=dict)
    censored: Sequence[int] = ()
    unknown: Sequence[int] = ()

    @property
    def values(self) -> list[float]:
        return list(self.observed.values())

    @property
    def left_out(self) -> int:
        """Runs without an observed value."""
        return len(self.censored) + len(self.unknown)

    def restricted(self, limit_ms: float) -> dict[int, float]:
        """Returns min(time, limit) by run number, for all runs that are not unknown; all arms have the same limit."""
        cut = {run: min(value, limit_ms) for run, value in self.observed.items()}
        return dict(sorted({**cut, **dict.fromkeys(self.censored, limit_ms)}.items()))


def by_setting(loads: Iterable[Load]) -> dict[Setting, list[Load]]:
    """Groups the takes by site, network and stack, in their order; within a setting by run."""
    settings: defaultdict[Setting, list[Load]] = defaultdict(list)
    for load in loads:
        settings[load.site, load.network, load.stack].append(load)
    return {setting: sorted(runs, key=lambda load: load.run) for setting, runs in settings.items()}


def scenes(settings: Iterable[Setting]) -> list[tuple[str, str]]:
    """Returns the sites with their networks, in their order."""
    return list(dict.fromkeys((site, network) for site, network, _ in settings))


def stratum(
    settings: Mapping[Setting, Sequence[Load]], scene: tuple[str, str], pair: Pair, metric: str, *, paired: bool
) -> Stratum:
    """Returns the observed values of (new, reference); if paired, those of runs that both have, by block."""
    new, reference = (arm(settings[*scene, stack], metric).observed for stack in (pair.new, pair.reference))
    if not paired:
        return list(new.values()), list(reference.values())
    runs = sorted(new.keys() & reference.keys())
    return [new[run] for run in runs], [reference[run] for run in runs]


def arm(loads: Iterable[Load], metric: str) -> Arm:
    """Returns the arm of one metric. A time of 0 ms is unknown, because no page changes at navigation start."""
    observed: dict[int, float] = {}
    censored: list[int] = []
    unknown: list[int] = []
    for load in loads:
        value, kind = load.metrics[metric], METRIC_OF[metric]
        impossible = kind.ratio and value == 0
        if value is not None and not impossible and kind.is_final(settled=load.settled):
            observed[load.run] = value
        elif load.settled or impossible:
            unknown.append(load.run)
        else:
            censored.append(load.run)
    return Arm(observed, censored, unknown)
