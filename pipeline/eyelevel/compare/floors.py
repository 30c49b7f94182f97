"""The detection floor: the difference that the films' alignment error and cost can cause by themselves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eyelevel.compare.model import Pair
from eyelevel.compare.quality import Alignment
from eyelevel_core.model.metrics import METRIC_OF

# a fraction of the load's time: the end farthest from 0 of the measured intervals of the difference between stacks in
# the slowdown by filming (docs/developers/measurements.md, The film's cost)
FILM_COST = 0.028


@dataclass(frozen=True)
class Floor:
    """The detection floor of one network and pair. `alignment_ms` is None if the alignment is unknown.

    `film_cost` is the largest fraction of the time by which filming may slow one stack more than the other.
    """

    alignment_ms: float | None
    film_cost: float

    def ms(self, metric: str, reference_ms: float | None) -> float | None:
        """Returns the floor if the reference takes `reference_ms`; None if it is unknown.

        An alignment error shifts visual metrics only. Filming slows the load, and so affects all metrics.
        """
        if reference_ms is None:
            return None
        cost_ms = self.film_cost * reference_ms
        if not METRIC_OF[metric].visual:
            return cost_ms
        return None if self.alignment_ms is None else self.alignment_ms + cost_ms


Floors = Mapping[tuple[str, Pair], Floor]


def floors(aligned: Iterable[Alignment], film_cost: float) -> Floors:
    """Returns the detection floors by network and pair."""
    return {(row.network, row.pair): Floor(row.floor_ms, film_cost) for row in aligned}
