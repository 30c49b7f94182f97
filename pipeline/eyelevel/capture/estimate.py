"""How long a campaign will take, and how much room: from takes already there, else from a stated model. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from eyelevel.capture.plan import Run

# The model, from 28 takes of four real pages on DSL and LTE on two processors at 30 frames a second: 3 s of quiet,
# 4 s for testbed, screen, browser and metrics, 2 s for the page; 1 MB for film and reports, 0.5 MB for clips.
MODEL_S = 9.0
MODEL_BYTES = 1_500_000


@dataclass(frozen=True)
class Seen:
    """What one take cost."""

    network: str
    wall_s: float | None
    size_bytes: int


@dataclass(frozen=True)
class Estimate:
    """For runs that still wait; `takes` is how many takes it was drawn from, 0 for the model."""

    left_s: float
    size_bytes: int
    takes: int


def estimate(waiting: Iterable[Run], seen: Iterable[Seen], *, visits: Mapping[str, int]) -> Estimate:
    """A network without takes gets the mean of the others; `visits` says how often a cache mode loads the page."""
    costs = list(seen)
    walls = _means((one.network, one.wall_s) for one in costs if one.wall_s is not None)
    sizes = _means((one.network, float(one.size_bytes)) for one in costs)
    left_s = size = 0.0
    for run in waiting:
        left_s += walls.get(run.network, walls.get("", MODEL_S)) * visits[run.cache]
        size += sizes.get(run.network, sizes.get("", MODEL_BYTES))
    return Estimate(left_s, round(size), len(costs))


def _means(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    """By network; under the empty name that of all."""
    groups: dict[str, list[float]] = {}
    for network, value in values:
        for name in (network, ""):
            groups.setdefault(name, []).append(value)
    return {name: fmean(group) for name, group in groups.items()}
