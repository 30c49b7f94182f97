"""The result that leaves out simulated sessions, and the one that includes them."""

from analysis.models import Result, ResultOrigin
from eyelevel_stats.columns import Whose


def whose_of(origin: ResultOrigin) -> Whose:
    """The origin as the statistics name it."""
    return "all" if origin == ResultOrigin.ALL else "person"


def simulated_started(people: Result) -> int:
    """How many simulated sessions the snapshot has, by its result for people's votes; used or not."""
    return sum(row["sessions"] for row in people.counts if row["outcome"] == "simulated")


def of_origin(result: Result, origin: ResultOrigin) -> Result | None:
    """The result of the same snapshot, method and fields for this origin; None where it was deleted meanwhile.

    Where no simulated session began both are the same, and that of people is stored.
    """
    if result.origin == origin or (result.origin == ResultOrigin.PERSON and not simulated_started(result)):
        return result
    same = Result.objects.filter(snapshot=result.snapshot_id, method_version=result.method_version, origin=origin)
    same = same.filter(fields_sha256=result.fields_sha256)
    long = ("snapshot__session_ids", "snapshot__manifest_text")
    return same.select_related("snapshot").defer(*long).first()
