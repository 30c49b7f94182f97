"""The result that leaves out simulated sessions, and the one that includes them."""

from analysis.models import Result, ResultOrigin


def of_origin(result: Result, origin: ResultOrigin) -> Result:
    """The result of the same snapshot and method for this origin.

    Where no simulated session is used both are the same, and one is stored.
    """
    if result.origin == origin:
        return result
    same = Result.objects.filter(snapshot=result.snapshot_id, method_version=result.method_version, origin=origin)
    same = same.filter(fields_sha256=result.fields_sha256)
    long = ("snapshot__session_ids", "snapshot__manifest_text")
    return same.select_related("snapshot").defer(*long).first() or result
