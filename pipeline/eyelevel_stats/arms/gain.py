"""Performance gain as in the 2019 paper, and its distribution over sites."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True)
class Gain:
    """Two means in ms, their difference (new - reference) in ms, and the gain as a fraction; below 0: new is faster.

    The gain is None where the reference's mean is 0.
    """

    mean_new_ms: float
    mean_reference_ms: float
    difference_ms: float
    gain: float | None


def performance_gain(new_ms: Sequence[float], reference_ms: Sequence[float]) -> Gain | None:
    """Computes `(mean(new) - mean(reference)) / mean(reference)`, as in the paper of 2019; None if an arm is empty."""
    if not new_ms or not reference_ms:
        return None
    new, reference = fsum(new_ms) / len(new_ms), fsum(reference_ms) / len(reference_ms)
    return Gain(new, reference, new - reference, (new - reference) / reference if reference > 0 else None)


def empirical_distribution(values: Sequence[float]) -> list[tuple[float, float]]:
    """Computes the empirical distribution function: each distinct value, and the share of values up to it."""
    ordered = sorted(values)
    return [
        (value, (i + 1) / len(ordered))
        for i, value in enumerate(ordered)
        if i + 1 == len(ordered) or ordered[i + 1] != value
    ]
