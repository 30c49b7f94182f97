"""Deletes the recruiter's ids of a study's participants; their answers stay."""

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from privacy import erasure_ledger
from privacy.signals import values_erased
from ratings.models import Recruitment
from studies.models import Study


def of_study(study_sha256: str) -> QuerySet[Recruitment]:
    """The recruiter's ids of this study's participants."""
    return Recruitment.objects.filter(study=study_sha256)


def forget_recruiter_ids(study: Study) -> int:
    """Delete the recruiter's ids of the study's participants permanently; returns how many. Raises LedgerError."""
    now = timezone.now()
    with transaction.atomic():
        count = _delete(of_study(study.pk))
        if count:
            entry = erasure_ledger.Entry(id=uuid.uuid4(), erased_at=now, study=study.pk)
            erasure_ledger.append([entry])
    transaction.on_commit(lambda: values_erased.send_robust(sender=Recruitment))
    return count


def forget_again(entry: erasure_ledger.Entry) -> int:
    """Repeat a deletion from the ledger: ids of participants who had started the study by then."""
    known = Recruitment.objects.filter(study=entry.study)
    return _delete(known.filter(participant__sessions__started_at__lte=entry.erased_at))


def _delete(recruitments: QuerySet[Recruitment]) -> int:
    count, _ = Recruitment.objects.filter(pk__in=list(recruitments.values_list("pk", flat=True))).delete()
    return count
