"""Results by origin: without simulated sessions, and with them."""

from analysis.models import Result, ResultOrigin
from eyelevel_stats.columns import Whose


def statistics_origin(origin: ResultOrigin) -> Whose:
    """The statistics' name of the origin."""
    return "all" if origin == ResultOrigin.ALL else "person"


def simulated_started(people: Result) -> int:
    """The number of simulated sessions in the snapshot, used or not, from its result for people's votes."""
    return sum(row["sessions"] for row in people.counts if row["outcome"] == "simulated")


def of_origin(result: Result, origin: ResultOrigin) -> Result | None:
    """The result of the same snapshot, method and fields for this origin; None if it was deleted meanwhile.

    If no simulated session began, both are equal, and only the one for people is stored.
    """
    if result.origin == origin or (result.origin == ResultOrigin.PERSON and not simulated_started(result)):
        return result
    same = Result.objects.filter(snapshot=result.snapshot_id, method_version=result.method_version, origin=origin)
    same = same.filter(fields_sha256=result.fields_sha256)
    long = ("snapshot__session_ids", "snapshot__manifest_text")
    return same.select_related("snapshot").defer(*long).first()
