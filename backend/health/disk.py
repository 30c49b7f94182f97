"""Free space of the disk, its growth, and the estimated time until it is full."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from health.models import DiskSample
from lib.retention import period_of
from lib.room import disk_usage, has_reserve

DAY_S = 86_400.0
# growth is computed over the last week, once there are samples of six hours
WINDOW, LEAST = timedelta(days=7), timedelta(hours=6)


class Room(StrEnum):
    OK = "ok"
    # full within a day at the current growth
    SOON = "soon"
    # only the reserve is left: no new sessions
    RESERVE = "reserve"


@dataclass(frozen=True)
class Used:
    """One measurement."""

    at: datetime
    free_bytes: int


@dataclass(frozen=True)
class Disk:
    """State of the disk; growth and `days_left` are None if unknown, `days_left` also if nothing grows."""

    free_bytes: int
    total_bytes: int
    reserve_bytes: int
    growth_bytes_per_day: float | None
    days_left: float | None
    room: Room


def growth_per_day(samples: Sequence[Used]) -> float | None:
    """Growth in bytes per day, from the first and last sample of the window; None if they span less than six hours."""
    if len(samples) < 2:
        return None
    recent = [sample for sample in samples if samples[-1].at - sample.at <= WINDOW]
    lasted = recent[-1].at - recent[0].at
    if lasted < LEAST:
        return None
    return (recent[0].free_bytes - recent[-1].free_bytes) / (lasted.total_seconds() / DAY_S)


def judge(*, free: int, total: int, reserve: int, growth: float | None, below_reserve: bool) -> Disk:
    """Compute the state of a disk from its measurements."""
    left = max(0.0, (free - reserve) / growth) if growth is not None and growth > 0 else None
    room = Room.RESERVE if below_reserve else Room.SOON if left is not None and left < 1 else Room.OK
    return Disk(free, total, reserve, growth, left, room)


def disk() -> Disk:
    """The current state of the disk with the blobs."""
    free, total = disk_usage()
    samples = [
        Used(sample.at, sample.free_bytes) for sample in DiskSample.objects.filter(at__gt=timezone.now() - WINDOW)
    ]
    samples.append(Used(timezone.now(), free))
    return judge(
        free=free,
        total=total,
        reserve=settings.DISK_RESERVE_BYTES,
        growth=growth_per_day(samples),
        below_reserve=not has_reserve(),
    )


def take_sample() -> None:
    """Store the current free space of the disk."""
    free, total = disk_usage()
    DiskSample.objects.create(free_bytes=free, total_bytes=total)


def old_samples(now: datetime) -> QuerySet[DiskSample]:
    """Samples that are past their retention."""
    return DiskSample.objects.filter(at__lt=now - period_of("disk_samples"))
