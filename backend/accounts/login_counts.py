"""Counts of failed logins per bucket and time window; each is one statement, so concurrent attempts are all counted."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F, Q, QuerySet

from accounts.models import FailedLogins

WINDOW = timedelta(minutes=5)
# wrong codes of a second factor are also counted per day, because six digits can be guessed
DAY = timedelta(days=1)
OF_A_DAY = "codes "

# Locks the row, so attempts on one bucket are counted one after the other. Returns no row if the bucket is full.
COUNT = """
INSERT INTO accounts_failedlogins AS kept (bucket, begun_at, count) VALUES (%(bucket)s, %(now)s, 1)
ON CONFLICT (bucket) DO UPDATE SET
  begun_at = CASE WHEN kept.begun_at <= %(old)s THEN %(now)s ELSE kept.begun_at END,
  count = CASE WHEN kept.begun_at <= %(old)s THEN 1 ELSE kept.count + 1 END
WHERE kept.begun_at <= %(old)s OR kept.count < %(limit)s
RETURNING count
"""


def count(bucket: str, *, limit: int, now: datetime, window: timedelta = WINDOW) -> bool:
    """Count an attempt before its password or code is checked; returns False, uncounted, if the bucket is full."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, {"bucket": bucket, "now": now, "old": now - window, "limit": limit})
        return cursor.fetchone() is not None


def uncount(bucket: str) -> None:
    """Subtract an attempt that succeeded. An empty bucket has no row, because anybody can send any name."""
    rows = FailedLogins.objects.filter(bucket=bucket)
    emptied, _ = rows.filter(count__lte=1).delete()
    if not emptied:
        rows.filter(count__gt=0).update(count=F("count") - 1)


def old_counts(now: datetime) -> QuerySet[FailedLogins]:
    """Counts whose time window is over."""
    recent = Q(begun_at__gt=now - WINDOW) | Q(begun_at__gt=now - DAY, bucket__startswith=OF_A_DAY)
    return FailedLogins.objects.exclude(recent)
