"""What the page shows of all sessions of a study: the funnel and the playback quality, per group."""

from dataclasses import asdict
from typing import Any

from conformance.playback import watched_by_group
from studies.models import Study
from studies.stored_counts import stored

NAME = "conformance"


def figures_of(study: Study) -> dict[str, Any]:
    """`{groups, watched, counted_at}`: of a large study as the worker last counted it, else as it is now."""
    row = stored(NAME, [study.pk]).get(study.pk)
    if row is not None:
        return {**row.value, "counted_at": row.counted_at}
    return count(study) | {"counted_at": None}


def count(study: Study) -> dict[str, Any]:
    """Reads every session, verdict and play of the study."""
    # the other pages of the platform need no statistics
    from conformance.funnel import funnel_of  # noqa: PLC0415

    return {
        "groups": [asdict(funnel) for funnel in funnel_of(study)],
        "watched": [{"group": group} | asdict(own) for group, own in watched_by_group(study).items()],
    }
