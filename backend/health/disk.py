"""How full the disk is, how fast it fills, and when it will be full."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from health.models import DiskSample
from lib.retention import kept
from lib.room import disk_usage, has_reserve

DAY_S = 86_400.0
# growth is that of the last week, and is told once there are six hours of it
WINDOW, LEAST = timedelta(days=7), timedelta(hours=6)


class Room(StrEnum):
    OK = "ok"
    # full within a day, if it goes on like this
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
    """`growth_bytes_per_day` and `days_left` are None while too little is known; `days_left` too if nothing grows."""

    free_bytes: int
    total_bytes: int
    reserve_bytes: int
    growth_bytes_per_day: float | None
    days_left: float | None
    room: Room


def growth_per_day(samples: Sequence[Used]) -> float | None:
    """Bytes per day by a straight line through first and last sample of the window; None for less than six hours."""
    if len(samples) < 2:
        return None
    recent = [sample for sample in samples if samples[-1].at - sample.at <= WINDOW]
    lasted = recent[-1].at - recent[0].at
    if lasted < LEAST:
        return None
    return (recent[0].free_bytes - recent[-1].free_bytes) / (lasted.total_seconds() / DAY_S)


def judge(*, free: int, total: int, reserve: int, growth: float | None, below_reserve: bool) -> Disk:
    """What a disk with these facts means."""
    left = max(0.0, (free - reserve) / growth) if growth is not None and growth > 0 else None
    room = Room.RESERVE if below_reserve else Room.SOON if left is not None and left < 1 else Room.OK
    return Disk(free, total, reserve, growth, left, room)


def disk() -> Disk:
    """The disk with the blobs as of now."""
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
    """Remember how full the disk is."""
    free, total = disk_usage()
    DiskSample.objects.create(free_bytes=free, total_bytes=total)


def old_samples(now: datetime) -> QuerySet[DiskSample]:
    """Samples that nothing is computed from any more."""
    return DiskSample.objects.filter(at__lt=now - kept("disk_samples"))
