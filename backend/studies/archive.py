"""Archives a study: its links are closed, and it can only be read until it is taken back.

Refused are opening, pausing and publishing it again. Everything that only reads goes on, as do sharing (who may read),
erasure, and answers of sessions that had begun.
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
    """Close all links and make the study read only; an archived one stays as it is."""
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
    """Let the study be changed again; its links stay closed."""
    with transaction.atomic():
        locked = _locked(study)
        if locked.archived_at is None:
            return locked
        locked.archived_at = None
        locked.save(update_fields=["archived_at"])
        record(by, What.UNARCHIVE, locked)
    return locked


def demand_not_archived(study: Study) -> None:
    """Raise Problem 409 `archived` where the study can only be read."""
    if study.archived_at is not None:
        message = f"The study {study.name} is archived and can only be read; take it back from the archive first."
        raise Problem(409, "archived", message)


def _locked(study: Study) -> Study:
    # votes of running sessions refer to the row and do not wait
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)
