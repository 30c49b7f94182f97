"""How long a campaign will take, and how much room: from takes already there, else from a stated model. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from eyelevel_core.model.run import Run

# The model, from 40 takes of four real pages on two processors at 30 frames a second: settling, starting and measuring;
# then the recording's bytes at a rate that has loss in it.
MODEL_S = 9.0
MODEL_MBPS = {"DA2GC": 0.28, "MSS": 0.2}
ELSE_MBPS = 5.0
MODEL_BYTES = 1_500_000
BYTES_A_SECOND = 60_000


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


def estimate(
    waiting: Iterable[Run], seen: Iterable[Seen], *, visits: Mapping[str, int], recordings: Mapping[str, int]
) -> Estimate:
    """`visits` says how often a cache mode loads the page, `recordings` how many bytes a site's recording has.

    A network with takes is expected to go on as they did, one without as the model says.
    """
    costs = list(seen)
    walls = _means((one.network, one.wall_s) for one in costs if one.wall_s is not None)
    sizes = _means((one.network, float(one.size_bytes)) for one in costs)
    left_s = size = 0.0
    for run in waiting:
        mbps = MODEL_MBPS.get(run.network, ELSE_MBPS)
        model_s = MODEL_S + recordings[run.site] * 8 / (mbps * 1e6)
        left_s += walls.get(run.network, model_s) + MODEL_S * (visits[run.cache] - 1)
        size += sizes.get(run.network, MODEL_BYTES + (model_s - MODEL_S) * BYTES_A_SECOND)
    return Estimate(left_s, round(size), len(costs))


def _means(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for network, value in values:
        groups.setdefault(network, []).append(value)
    return {name: fmean(group) for name, group in groups.items()}
