"""Stray files of exports, which no job names because a worker was killed or the store did not answer."""

from datetime import datetime, timedelta

from exports import files

# a younger file without a job may be one that is just being stored
STRAY = timedelta(hours=1)


def drop_strays(now: datetime) -> int:
    """Delete stray files; returns their number."""
    return files.drop_unused(sha256 for sha256, at in files.written_at().items() if at < now - STRAY)
