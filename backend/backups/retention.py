"""Retention of backups' data: deletes records of runs, the restore point, and files without a row.

A restore stores files before the rows that name them, so no files or databases are deleted while one runs.
"""

from datetime import datetime

from django.db.models import Max, QuerySet

from backups import postgres
from backups.models import BackupRun, DataVersion, Kind
from lib import retention
from stimuli import strays


def provide() -> None:
    retention.provide("backup_runs", retention.rows(old_runs))
    retention.provide("restore_point", sweep_restore_point)
    retention.provide("stray_files", sweep_strays)


def old_runs(now: datetime) -> QuerySet[BackupRun]:
    """Old records, except for the last one of each kind, whose age the health page shows."""
    last = BackupRun.objects.values("kind").annotate(last=Max("begun_at")).values("last")
    return BackupRun.objects.filter(begun_at__lt=now - retention.period_of("backup_runs")).exclude(begun_at__in=last)


def sweep_restore_point(now: datetime, delete: bool) -> int:
    with postgres.alone(wait=False) as alone:
        if not alone or not _is_old(now):
            return 0
        before = postgres.live_database() + postgres.BEFORE
        if before not in postgres.databases():
            return 0
        if delete:
            postgres.drop_database(before)
    return 1


def sweep_strays(now: datetime, delete: bool) -> int:
    with postgres.alone(wait=False) as alone:
        return strays.sweep(now - retention.period_of("stray_files"), delete=delete) if alone else 0


def _is_old(now: datetime) -> bool:
    """Whether neither a restore nor an upgrade ended recently; both make a restore point."""
    restored = BackupRun.objects.filter(kind=Kind.RESTORE).aggregate(last=Max("ended_at"))["last"]
    upgraded = DataVersion.objects.aggregate(last=Max("ended_at"))["last"]
    ended = [moment for moment in (restored, upgraded) if moment is not None]
    return not ended or max(ended) < now - retention.period_of("restore_point")
