"""Archives a study: closes its links, and makes it read-only until it is restored from the archive.

An archived study cannot be opened, paused or published again. Reading, sharing and erasure remain possible, and
sessions that had begun can continue.
"""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from audit.log import record
from audit.models import What
from lib.problems import Problem
from studies.lifecycle import change_state
from studies.models import FieldingState, Study


def archive(study: Study, *, by: User) -> Study:
    """Close all links and make the study read-only; changes nothing if it is already archived."""
    with transaction.atomic():
        locked = _locked(study)
        if locked.archived_at is not None:
            return locked
        for fielding in locked.fieldings.select_related("study").exclude(state=FieldingState.CLOSED):
            before = fielding.state
            change_state(fielding, FieldingState.CLOSED)
            record(by, What.CLOSE, fielding, {"from": before})
        locked.archived_at = timezone.now()
        locked.save(update_fields=["archived_at"])
        record(by, What.ARCHIVE, locked)
    return locked


def take_back(study: Study, *, by: User) -> Study:
    """Restore the study from the archive, so that it can be changed again; its links stay closed."""
    with transaction.atomic():
        locked = _locked(study)
        if locked.archived_at is None:
            return locked
        locked.archived_at = None
        locked.save(update_fields=["archived_at"])
        record(by, What.UNARCHIVE, locked)
    return locked


def demand_not_archived(study: Study) -> None:
    """Raise Problem 409 `archived` if the study is archived."""
    if study.archived_at is not None:
        message = f"The study {study.name} is archived and can only be read; restore it from the archive first."
        raise Problem(409, "archived", message)


def _locked(study: Study) -> Study:
    # votes of running sessions refer to the row, and do not wait for this lock
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)
