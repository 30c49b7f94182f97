"""Files of exports that no job names: a worker was killed before it could say so, or the store was away."""

from datetime import datetime, timedelta

from exports import files

# a file without a job is one that is just being stored, or a stray
STRAY = timedelta(hours=1)


def drop_strays(now: datetime) -> int:
    """Delete them; returns how many there were."""
    return files.drop_unused(sha256 for sha256, at in files.written_at().items() if at < now - STRAY)
