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

    `censored` runs ended at the limit before the metric was known, `unknown` ones have no value for another reason.
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
        """By run number min(time, limit): what is known of every run that is not unknown. The same cut for each arm."""
        cut = {run: min(value, limit_ms) for run, value in self.observed.items()}
        return dict(sorted({**cut, **dict.fromkeys(self.censored, limit_ms)}.items()))


def by_setting(loads: Iterable[Load]) -> dict[Setting, list[Load]]:
    """The takes of each site, network and stack, in their order; within a setting by run."""
    found: defaultdict[Setting, list[Load]] = defaultdict(list)
    for load in loads:
        found[load.site, load.network, load.stack].append(load)
    return {setting: sorted(own, key=lambda load: load.run) for setting, own in found.items()}


def scenes(settings: Iterable[Setting]) -> list[tuple[str, str]]:
    """Site and network of each, in their order."""
    return list(dict.fromkeys((site, network) for site, network, _ in settings))


def stratum(
    settings: Mapping[Setting, Sequence[Load]], scene: tuple[str, str], pair: Pair, metric: str, *, paired: bool
) -> Stratum:
    """The observed values of (new, reference); paired: of the runs that both stacks have, block by block."""
    new, reference = (arm(settings[*scene, stack], metric).observed for stack in (pair.new, pair.reference))
    if not paired:
        return list(new.values()), list(reference.values())
    runs = sorted(new.keys() & reference.keys())
    return [new[run] for run in runs], [reference[run] for run in runs]


def arm(loads: Iterable[Load], metric: str) -> Arm:
    """The arm of one metric. A moment at 0 ms is unknown, for no page changes before it was asked for."""
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
