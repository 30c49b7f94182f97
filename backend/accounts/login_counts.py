"""Failed logins counted in windows, per bucket, each by one statement: many attempts at once cannot pass the limit."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F, Q, QuerySet

from accounts.models import FailedLogins

WINDOW = timedelta(minutes=5)
# wrong codes of a second factor are counted for a day, too: six digits are few
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
    """Count an attempt before its password or code is checked; False, and nothing counted, if the bucket is full."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, {"bucket": bucket, "now": now, "old": now - window, "limit": limit})
        return cursor.fetchone() is not None


def uncount(bucket: str) -> None:
    """Take an attempt back that was not wrong. An empty bucket has no row: names are free, and rows are not."""
    kept = FailedLogins.objects.filter(bucket=bucket)
    emptied, _ = kept.filter(count__lte=1).delete()
    if not emptied:
        kept.filter(count__gt=0).update(count=F("count") - 1)


def old_counts(now: datetime) -> QuerySet[FailedLogins]:
    """Counts that no longer matter."""
    recent = Q(begun_at__gt=now - WINDOW) | Q(begun_at__gt=now - DAY, bucket__startswith=OF_A_DAY)
    return FailedLogins.objects.exclude(recent)
