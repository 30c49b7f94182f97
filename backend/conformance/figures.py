"""Funnel and playback quality per group, over all sessions of a study."""

from dataclasses import asdict
from typing import Any

from conformance.playback import watched_by_group
from studies.models import Study
from studies.stored_counts import stored

NAME = "conformance"


def figures_of(study: Study, origin: str) -> dict[str, Any]:
    """`{groups, watched, counted_at}`: for a large study as last counted by the worker, otherwise current.

    Counts people's sessions; with the origin `all`, simulated ones too.
    """
    row = stored(NAME, [study.pk]).get(study.pk)
    if row is not None and origin in row.value:
        return {**row.value[origin], "counted_at": row.counted_at}
    return _count(study, simulated_too=origin == "all") | {"counted_at": None}


def count(study: Study) -> dict[str, Any]:
    """Compute `{groups, watched}` by origin; reads every session, verdict and play of the study."""
    return {origin: _count(study, simulated_too=origin == "all") for origin in ("person", "all")}


def _count(study: Study, *, simulated_too: bool) -> dict[str, Any]:
    # the other pages of the platform need no statistics
    from conformance.funnel import funnel_of  # noqa: PLC0415

    watched = watched_by_group(study, simulated_too=simulated_too)
    return {
        "groups": [asdict(funnel) for funnel in funnel_of(study, simulated_too=simulated_too)],
        "watched": [{"group": group} | asdict(counts) for group, counts in watched.items()],
    }
