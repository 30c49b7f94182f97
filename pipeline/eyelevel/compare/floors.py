"""The detection floor: the difference that the films' alignment error and cost can cause by themselves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eyelevel.compare.model import Pair
from eyelevel.compare.quality import Alignment
from eyelevel_core.model.metrics import METRIC_OF

# of a load's time: the end farthest from 0 of the measured intervals of how much more filming slows one stack than the
# other (docs/developers/measurements.md, The film's cost)
FILM_COST = 0.028


@dataclass(frozen=True)
class Floor:
    """Of one network and pair. `alignment_ms` is None where nothing is known of how well the films are aligned.

    `film_cost` is by how much filming may slow one stack more than the other, a fraction of the time.
    """

    alignment_ms: float | None
    film_cost: float

    def ms(self, metric: str, reference_ms: float | None) -> float | None:
        """What a difference must exceed, where the reference takes `reference_ms`; None where it is unknown.

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
    """By network and pair."""
    return {(row.network, row.pair): Floor(row.floor_ms, film_cost) for row in aligned}
