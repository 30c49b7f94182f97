"""Deletes a batch that no study uses."""

from django.db import transaction
from django.db.models import ProtectedError

from accounts.models import User
from audit.log import record
from audit.models import What
from lib.problems import Problem, not_found
from stimuli import uploads
from stimuli.models import Batch, BatchState


def delete_batch(sha256: str, *, confirm: str, by: User) -> None:
    """Delete the batch, and the files that no other batch lists.

    `confirm` must be its campaign's name (else 422). Raises Problem 404, 409 `in_use`, and 409 `not_allowed` while the
    batch is being checked.
    """
    with transaction.atomic():
        batch = Batch.objects.defer("manifest_text").select_for_update().filter(sha256=sha256).first()
        if batch is None:
            raise not_found(f"batch {sha256}")
        if confirm != batch.campaign:
            message = f"confirm is {confirm!r}, but must be the name of the batch's campaign, {batch.campaign}."
            raise Problem(422, "invalid", message, details={"field": "confirm"})
        digests = delete_unused(batch, by=by)
    uploads.drop_unlisted(digests)


def delete_unused(batch: Batch, *, by: User | None) -> list[str]:
    """Delete the rows of a locked batch; returns the digests of its files, to be deleted after the transaction."""
    if batch.state == BatchState.COMMITTING:
        message = f"The batch {batch.campaign} is being checked; wait until it is visible, then delete it."
        raise Problem(409, "not_allowed", message, retry=True)
    names = sorted(batch.studies.values_list("name", flat=True))
    if names:
        raise _in_use(batch, names)
    record(by, What.DELETE, batch, {"batch": batch.sha256})
    try:
        with transaction.atomic():
            return uploads.delete_rows(batch)
    except ProtectedError:
        # published a moment ago
        raise _in_use(batch, ["a new one"]) from None


def _in_use(batch: Batch, studies: list[str]) -> Problem:
    message = f"The batch {batch.campaign} is used by studies: {', '.join(studies)}. Delete these studies first."
    return Problem(409, "in_use", message)
