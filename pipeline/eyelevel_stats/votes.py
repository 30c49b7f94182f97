"""From the columns of an export or a snapshot to the votes that the statistics take."""

from collections.abc import Mapping, Sequence
from typing import Any

from eyelevel_stats.study import ClipMetrics, Comparison, Rating

METRIC_COLUMNS = ClipMetrics._fields


def ratings_of(columns: Mapping[str, Sequence[Any]]) -> list[Rating]:
    """The votes of `rate` trials; `columns` are those of the contract export-columns, None where unknown."""
    fields = ("session_id", "site", "network", "stack", "context", "clip_sha256", "score", "trial_kind")
    rows = zip(*(columns[field] for field in fields), strict=True)
    return [Rating(*row) for *row, kind in rows if kind == "rate"]


def comparisons_of(columns: Mapping[str, Sequence[Any]]) -> list[Comparison]:
    """The votes of `compare` trials."""
    fields = ("session_id", "site", "network", "left_stack", "right_stack", "context", "choice", "trial_kind")
    rows = zip(*(columns[field] for field in fields), strict=True)
    return [Comparison(*row) for *row, kind in rows if kind == "compare"]


def metrics_of(columns: Mapping[str, Sequence[Any]]) -> dict[str, ClipMetrics]:
    """The metrics of every rated clip; raise ValueError where two votes give the same clip different metrics."""
    found: dict[str, ClipMetrics] = {}
    rows = zip(columns["trial_kind"], columns["clip_sha256"], *(columns[name] for name in METRIC_COLUMNS), strict=True)
    for kind, clip, *values in rows:
        if kind == "rate" and found.setdefault(clip, own := ClipMetrics(*values)) != own:
            raise ValueError(f"The clip {clip} has different metrics in different votes: {found[clip]} and {own}.")
    return found
