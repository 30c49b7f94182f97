"""The report as lines of text."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from health.disk import Disk
from health.report import Report, Run, ServiceState

WARNINGS = {
    "service": "A service does not work; see the list of services.",
    "queue": "Tasks have waited for more than two minutes; see whether the workers run.",
    "disk_soon": "The disk will be full within a day; free some space, or make it larger.",
    "disk_reserve": "The disk is almost full: no new sessions begin. Running sessions can still be completed.",
    "backup": "The last backup failed.",
    "backup_due": "People took part more than a week ago, and no backup was made in the last seven days.",
    "drill": "The last drill of a restore failed, or is more than eight days old.",
}


def lines(found: Report) -> Iterator[str]:
    """The report for a terminal."""
    yield from (f"! {WARNINGS[code]}" for code in found.warnings)
    yield "Services"
    yield from (f"  {_service(service)}" for service in found.services)
    yield "Queues"
    for queue in found.queues or ():
        oldest = "" if queue.oldest_s is None else f", the oldest for {queue.oldest_s:.0f} s"
        yield f"  {queue.name}: {queue.length} waiting{oldest}"
    if found.queues is None:
        yield "  unknown"
    yield f"Last analysis: {_ago(found.last_analysis, found.at)}; studies behind: {_known(found.studies_behind)}"
    yield f"Active sessions: {_known(found.sessions_active)}"
    yield f"Last backup: {_run(found.backup, found.at)}"
    yield f"Last drill: {_run(found.drill, found.at)}"
    yield f"Disk: {_disk(found.disk)}"
    yield "Versions: " + ", ".join(f"{name} {number}" for name, number in found.versions.items())
    yield "Errors of the last day" + ("" if found.errors else ": none" if found.errors is not None else ": unknown")
    for group in found.errors or ():
        what = f"{group.error}: {group.text}" if group.error else group.text
        yield f"  {group.times} x {what} ({group.where or group.logger}, last {_ago(group.last_at, found.at)})"


def _service(service: ServiceState) -> str:
    told = f" ({service.reason})" if service.reason else ""
    ends = f", ended {service.ends} times" if service.ends else ""
    return f"{service.name}: {'works' if service.ok else 'does not work'}{ends}{told}"


def _run(run: Run | None, now: datetime) -> str:
    if run is None:
        return "none"
    return f"{_ago(run.at, now)}, {'passed' if run.ok else 'failed: ' + ' '.join(run.sentences)}"


def _disk(disk: Disk | None) -> str:
    if disk is None:
        return "unknown"
    text = f"{disk.free_bytes / 1e9:.1f} of {disk.total_bytes / 1e9:.1f} GB free"
    if disk.growth_bytes_per_day is not None:
        text += f", {disk.growth_bytes_per_day / 1e6:+.0f} MB a day"
    if disk.days_left is not None:
        text += f", {disk.days_left:.0f} days left"
    return text


def _ago(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return "none"
    passed = now - moment
    if passed < timedelta(minutes=2):
        return f"{passed.total_seconds():.0f} s ago"
    if passed < timedelta(hours=2):
        return f"{passed.total_seconds() / 60:.0f} min ago"
    if passed < timedelta(days=2):
        return f"{passed.total_seconds() / 3600:.0f} h ago"
    return f"{passed.days} days ago"


def _known(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"
