"""The health report as lines of text."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from health.disk import Disk
from health.report import Report, Run, ServiceState
from lib.counted import counted

WARNINGS = {
    "service": "A service does not work; see the list of services.",
    "queue": "Tasks have waited for more than two minutes; check whether the workers run.",
    "disk_soon": "The disk will be full within a day; free some space, or enlarge the disk.",
    "disk_reserve": "The disk is almost full, so no new sessions begin; free some space. Running sessions continue.",
    "backup": "The last backup failed; see the reason below.",
    "backup_due": "There are answers older than a week, but no backup from the last seven days; make a backup.",
    "drill": "The last restore drill failed or is older than eight days; run eyelevel restore --drill.",
}


def lines(state: Report) -> Iterator[str]:
    """Yields the report as lines for a terminal."""
    yield from (f"! {WARNINGS[code]}" for code in state.warnings)
    yield "Services"
    yield from (f"  {_service(service)}" for service in state.services)
    yield "Queues"
    for queue in state.queues or ():
        oldest = "" if queue.oldest_s is None else f", the oldest for {queue.oldest_s:.0f} s"
        yield f"  {queue.name}: {queue.length} waiting{oldest}"
    if state.queues is None:
        yield "  unknown"
    yield f"Last analysis: {_ago(state.last_analysis, state.at)}; studies behind: {_known(state.studies_behind)}"
    yield f"Active sessions: {_known(state.sessions_active)}"
    yield f"Last backup: {_run(state.backup, state.at)}"
    yield f"Last drill: {_run(state.drill, state.at)}"
    yield f"Disk: {_disk(state.disk)}"
    yield "Versions: " + ", ".join(f"{name} {number}" for name, number in state.versions.items())
    yield "Errors of the last day" + ("" if state.errors else ": none" if state.errors is not None else ": unknown")
    for group in state.errors or ():
        what = f"{group.error}: {group.text}" if group.error else group.text
        yield f"  {group.times} x {what} ({group.where or group.logger}, last {_ago(group.last_at, state.at)})"


def _service(service: ServiceState) -> str:
    reason = f" ({service.reason})" if service.reason else ""
    ends = f", ended {counted(service.ends, 'time')}" if service.ends else ""
    return f"{service.name}: {'works' if service.ok else 'does not work'}{ends}{reason}"


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
