"""Blinding: results by stack stay hidden during data collection until a user asks for them, which is logged once."""

from django.db import IntegrityError, transaction

from accounts.models import User
from audit.log import record
from audit.models import AuditEntry, What
from studies.models import FieldingState, Study


def is_blinded(user: User, study: Study) -> bool:
    """Whether the study is in the field, and the user has not unblinded its results."""
    seen = AuditEntry.objects.filter(what=What.UNBLIND, actor=user, study_sha256=study.pk)
    return in_field(study) and not seen.exists()


def unblind(user: User, study: Study) -> None:
    """Record that the user sees results by stack from now on; changes nothing if they do, or after data collection."""
    if not is_blinded(user, study):
        return
    try:
        with transaction.atomic():
            record(user, What.UNBLIND, study)
    except IntegrityError:
        # the same person at the same moment in another window
        return


def in_field(study: Study) -> bool:
    """Whether votes may still arrive: at least one fielding is not closed."""
    return study.fieldings.exclude(state=FieldingState.CLOSED).exists()
