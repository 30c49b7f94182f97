"""Estimates how long a campaign takes and how much disk it needs. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from eyelevel.capture.planning.cache_modes import FILLED_OVER, MODES
from eyelevel_core.model.run import Run

# The model is fitted to 40 takes of four real pages on two processors at 30 frames per second: a constant for settling,
# starting and measuring, plus the recording's bytes at a rate that includes the effect of loss.
MODEL_S = 9.0
MODEL_MBPS = {"DA2GC": 0.28, "MSS": 0.2, "MSS-SLIDES": 0.2}
ELSE_MBPS = 5.0
MODEL_BYTES = 1_500_000
BYTES_A_SECOND = 60_000


@dataclass(frozen=True)
class Seen:
    """The cost of one take; the time includes all of its visits."""

    network: str
    cache: str
    wall_s: float | None
    size_bytes: int


@dataclass(frozen=True)
class Estimate:
    """The expected cost of the remaining runs; `takes` is the number of takes that it is based on, 0 for the model."""

    left_s: float
    size_bytes: int
    takes: int


def estimate(waiting: Iterable[Run], seen: Iterable[Seen], *, recordings: Mapping[str, int]) -> Estimate:
    """Returns the expected cost; `recordings` has the size of each site's recording in bytes.

    Runs of a network and cache mode that has takes are expected to cost the same. The time of other runs is that of a
    cold run, from takes of the network or else from the model, plus the model's time for earlier visits.
    """
    costs = list(seen)
    walls = _means((cost.network, cost.cache, cost.wall_s) for cost in costs if cost.wall_s is not None)
    sizes = _means((cost.network, cost.cache, float(cost.size_bytes)) for cost in costs)
    left_s = size = 0.0
    for run in waiting:
        recording_bytes, mode, cold = recordings[run.site], MODES[run.cache], (run.network, "cold")
        model_s = _visit_s(run.network, recording_bytes)
        first_s = _visit_s(run.network if mode.own_network else FILLED_OVER, recording_bytes)
        filled_s = walls.get(cold, model_s) + first_s * (mode.visits - 1)
        left_s += walls.get((run.network, run.cache), filled_s)
        model_bytes = MODEL_BYTES + (model_s - MODEL_S) * BYTES_A_SECOND
        size += sizes.get((run.network, run.cache), sizes.get(cold, model_bytes))
    return Estimate(left_s, round(size), len(costs))


def _visit_s(network: str, recording_bytes: int) -> float:
    """The time of a visit by the model."""
    return MODEL_S + recording_bytes * 8 / (MODEL_MBPS.get(network, ELSE_MBPS) * 1e6)


def _means(values: Iterable[tuple[str, str, float]]) -> dict[tuple[str, str], float]:
    """Means by network and cache mode."""
    groups: dict[tuple[str, str], list[float]] = {}
    for network, cache, value in values:
        groups.setdefault((network, cache), []).append(value)
    return {key: fmean(group) for key, group in groups.items()}
