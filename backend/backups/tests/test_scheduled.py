"""The drill runs once a week by itself, whenever the last one was, and records how it ended."""

from datetime import timedelta

import pytest
from django.utils import timezone

from backups import scheduled
from backups.errors import BackupError
from backups.models import BackupRun, Kind
from backups.tasks import drill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_a_drill_runs_once_a_week() -> None:
    drill()
    drill()
    first = BackupRun.objects.get()
    assert (first.kind, first.ok, first.votes) == (Kind.DRILL, True, 0)
    assert "0 accounts can log in." in first.sentences
    BackupRun.objects.update(begun_at=timezone.now() - timedelta(days=7))
    drill()
    assert BackupRun.objects.count() == 2


def test_a_drill_that_fails_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise BackupError("The file 12ab of a batch is missing in the store.")

    monkeypatch.setattr(scheduled, "drill", fail)
    drill()
    run = BackupRun.objects.get()
    assert (run.ok, run.sentences) == (False, ["The file 12ab of a batch is missing in the store."])
