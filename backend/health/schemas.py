"""Bodies of the API about health."""

from datetime import datetime

from ninja import Schema


class ServiceRow(Schema):
    """State of a service. `ok`: it works. The other fields come from the supervisor, and are null in containers."""

    name: str
    ok: bool
    state: str | None
    since: str | None
    ends: int | None
    reason: str | None


class QueueRow(Schema):
    name: str
    length: int
    oldest_s: float | None


class RunRow(Schema):
    at: datetime
    ok: bool
    bytes: int | None
    sentences: list[str]


class DiskRow(Schema):
    """State of the disk. `room`: `ok`, `soon` (full within a day) or `reserve` (no new sessions begin)."""

    free_bytes: int
    total_bytes: int
    reserve_bytes: int
    growth_bytes_per_day: float | None
    days_left: float | None
    room: str


class ErrorRow(Schema):
    """Errors with the same message and location within the last day; `text` is the message without its values."""

    logger: str
    text: str
    error: str | None
    where: str | None
    times: int
    last_at: datetime


class HealthReport(Schema):
    """The state of the platform; values that could not be determined are null."""

    at: datetime
    services: list[ServiceRow]
    queues: list[QueueRow] | None
    last_analysis: datetime | None
    studies_behind: int | None
    backup: RunRow | None
    drill: RunRow | None
    disk: DiskRow | None
    versions: dict[str, str]
    errors: list[ErrorRow] | None
    sessions_active: int | None
    warnings: list[str]


class Announcement(Schema):
    """An announcement on staff pages: `disk_soon` (full within a day) or `disk_reserve` (only the reserve is left)."""

    code: str
    free_bytes: int
    days_left: float | None
