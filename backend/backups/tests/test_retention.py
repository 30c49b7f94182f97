"""Records of backups and the restore point go in time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from backups import postgres, retention
from backups.models import BackupRun, DataVersion, Kind

pytestmark = [pytest.mark.services]


@pytest.mark.django_db
def test_the_last_record_of_each_kind_stays() -> None:
    now = timezone.now()
    for kind, days in ((Kind.BACKUP, 400), (Kind.BACKUP, 380), (Kind.DRILL, 500), (Kind.DRILL, 3)):
        BackupRun.objects.create(kind=kind, begun_at=now - timedelta(days=days), ended_at=now, ok=True)
    assert retention.old_runs(now).count() == 2
    retention.old_runs(now).delete()
    left = {(run.kind, (now - run.begun_at).days) for run in BackupRun.objects.all()}
    assert left == {(Kind.BACKUP, 380), (Kind.DRILL, 3)}


@pytest.mark.django_db(transaction=True)
def test_a_restore_point_goes_two_weeks_after_the_restore_or_upgrade() -> None:
    now = timezone.now()
    before = postgres.live_database() + postgres.BEFORE
    postgres.create_database(before)
    try:
        DataVersion.objects.create(number=1, ended_at=now - timedelta(days=40))
        restored = now - timedelta(days=13)
        run = BackupRun.objects.create(kind=Kind.RESTORE, begun_at=restored, ended_at=restored, ok=True)
        assert retention.sweep_restore_point(now, delete=True) == 0
        BackupRun.objects.filter(pk=run.pk).update(ended_at=now - timedelta(days=15))
        assert retention.sweep_restore_point(now, delete=False) == 1
        assert before in postgres.databases()
        with postgres.alone():
            assert retention.sweep_restore_point(now, delete=True) == 0, "a restore runs"
        assert retention.sweep_restore_point(now, delete=True) == 1
        assert before not in postgres.databases()
    finally:
        postgres.drop_database(before)
