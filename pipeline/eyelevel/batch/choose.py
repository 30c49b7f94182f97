"""Choice of the runs that clips show: the medoid, and the runs at given quantiles."""

from collections.abc import Mapping, Sequence
from math import log

from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.model.metrics import MAIN, METRIC_OF

MEDOID = "medoid"


def role_of(quantile: float) -> str:
    """Returns the name of a quantile's role, such as q25."""
    return f"q{round(quantile * 100):02d}"


def likeness(take: FilmedTake) -> tuple[float, ...]:
    """Returns a take as a point of logarithms of the main metrics, because people perceive ratios, not differences.

    An unknown metric was not reached before the take ended, so the take's end replaces it.
    """
    known = (take.metrics[METRIC_OF[key].field] for key in MAIN)
    return tuple(log(max(1.0, take.end_ms if ms is None else ms)) for ms in known)


def choose(points: Mapping[int, Sequence[float]], quantiles: Sequence[float]) -> dict[str, int]:
    """Chooses the run for each role; `points` has one point per run, all of equal length.

    The medoid is the run with the smallest sum of distances (city block) to all others; of equal runs, the faster one.
    Then each quantile gets the nearest of the other runs in the order of their means, starting with the best match.
    With fewer runs than roles, every run is shown once, and roles are left out.
    """
    if not points:
        return {}
    order = sorted(points, key=lambda run: (_mean(points[run]), run))
    medoid = min(order, key=lambda run: round(sum(_distance(points[run], point) for point in points.values()), 9))
    fits = sorted(
        (abs(place - quantile * (len(order) - 1)), quantile, place)
        for quantile in quantiles
        for place, run in enumerate(order)
        if run != medoid
    )
    roles, shown = {MEDOID: medoid}, {medoid}
    for _, quantile, place in fits:
        if role_of(quantile) not in roles and order[place] not in shown:
            roles[role_of(quantile)] = order[place]
            shown.add(order[place])
    return {role: roles[role] for role in (MEDOID, *map(role_of, quantiles)) if role in roles}


def _mean(point: Sequence[float]) -> float:
    return round(sum(point) / len(point), 9)


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))
