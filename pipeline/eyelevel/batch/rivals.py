"""Decides which of two pages came first, metric by metric. Pure."""

from collections.abc import Mapping, Sequence

from eyelevel_core.model.metrics import METRICS, MetricValues

# field to label, in the order in which they are named: the last visual change comes last
NAMES = {metric.field: metric.label for metric in sorted(METRICS, key=lambda metric: metric.key == "lvc")}


def firsts(left: MetricValues, right: MetricValues, *, frame_ms: float) -> dict[str, int]:
    """By metric the side (0 left, 1 right) on which it came first by more than a frame; other metrics are not in it."""
    found: dict[str, int] = {}
    for name in NAMES:
        one, other = left[name], right[name]
        if one is not None and other is not None and abs(one - other) > frame_ms:
            found[name] = 0 if one < other else 1
    return found


def quarrel(first: Mapping[str, int], stacks: Sequence[str]) -> str | None:
    """Who is first by which metrics, in a phrase; None where no metric contradicts another."""
    if len(set(first.values())) < 2:
        return None
    by_side = [[NAMES[name] for name, side in first.items() if side == place] for place in (0, 1)]
    return "; ".join(f"{', '.join(names)}: {stack} first" for names, stack in zip(by_side, stacks, strict=True))
