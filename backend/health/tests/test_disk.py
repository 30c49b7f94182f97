"""When a disk is full, by what it lost in the last week; and what happens before."""

import errno
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.utils import timezone

from health.disk import Room, Used, growth_per_day, judge, old_samples, take_sample
from health.models import DiskSample
from lib import room
from lib.room import no_room
from testing import studies
from testing.web import SCREEN, answer, participant, post, stranger

GB = 10**9
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def falling(*free_gb: float, every: timedelta = timedelta(days=1)) -> list[Used]:
    """Samples that end now."""
    return [Used(NOW - every * (len(free_gb) - 1 - place), round(free * GB)) for place, free in enumerate(free_gb)]


@pytest.mark.parametrize(
    ("samples", "growth"),
    [
        ([], None),
        (falling(50), None),
        (falling(50, 49, every=timedelta(hours=5)), None),
        (falling(50, 49, every=timedelta(hours=6)), 4 * GB),
        (falling(50, 48, 46), 2 * GB),
        (falling(40, 45, 50), -5 * GB),
        # what was more than a week ago counts no more
        (falling(900, 50, 49, 48, 47, 46, 45, 44, 43), GB),
    ],
)
def test_growth_is_that_of_the_last_week(samples: list[Used], growth: float | None) -> None:
    assert growth_per_day(samples) == growth


@pytest.mark.parametrize(
    ("free", "growth", "below", "room", "days"),
    [
        (50 * GB, None, False, Room.OK, None),
        (50 * GB, -GB, False, Room.OK, None),
        (50 * GB, 0.0, False, Room.OK, None),
        (50 * GB, 10 * GB, False, Room.OK, 4.9),
        (6 * GB, 10 * GB, False, Room.SOON, 0.5),
        (GB // 2, 10 * GB, True, Room.RESERVE, 0.0),
    ],
)
def test_a_disk_is_judged_by_the_days_until_its_reserve(
    free: int, growth: float | None, below: bool, room: Room, days: float | None
) -> None:
    found = judge(free=free, total=100 * GB, reserve=GB, growth=growth, below_reserve=below)
    assert (found.room, found.days_left) == (room, days)


@pytest.mark.django_db
@pytest.mark.services
def test_samples_of_more_than_a_month_are_forgotten() -> None:
    DiskSample.objects.create(at=timezone.now() - timedelta(days=31), free_bytes=1, total_bytes=2)
    DiskSample.objects.create(at=timezone.now() - timedelta(days=29), free_bytes=1, total_bytes=2)
    take_sample()
    old_samples(timezone.now()).delete()
    assert DiskSample.objects.count() == 2


def caused(error: Exception) -> Exception:
    wrapped = RuntimeError("storing failed")
    wrapped.__cause__ = error
    return wrapped


@pytest.mark.parametrize(
    ("error", "free", "status"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), GB, 507),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), GB, 507),
        (caused(OSError(errno.ENOSPC, "No space left on device")), GB, 507),
        (caused(psycopg.errors.DiskFull("could not extend file")), GB, 507),
        # PostgreSQL stops where it cannot write its log
        (OperationalError("server closed the connection unexpectedly"), 1000, 507),
        (OperationalError("server closed the connection unexpectedly"), GB, 503),
        (OSError(errno.EACCES, "Permission denied"), GB, None),
        (ValueError("something else"), 1000, None),
    ],
)
def test_a_full_disk_and_a_database_that_is_away_are_told_apart(
    error: Exception, free: int, status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "free_bytes", lambda: free)
    problem = no_room(error)
    assert (problem and problem.status) == status
    if problem is not None:
        assert problem.retry
        assert problem.details["retry_after_s"]


@pytest.mark.django_db
@pytest.mark.services
def test_under_the_reserve_nobody_begins_and_running_sessions_store_their_answers(settings: Any) -> None:
    studies.visible_batch()
    slug = studies.study().fieldings.get().slug
    browser, session = participant(slug)
    settings.DISK_RESERVE_BYTES = 10**18
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    refused = post(stranger(), f"/api/participate/{slug}/sessions", body)
    assert (refused.status_code, refused["Retry-After"]) == (507, "30")
    assert refused.json()["error"] == {
        "code": "no_room",
        "message": "The server's disk is almost full, so taking part is not possible now. Please try again later.",
        "retry": True,
        "details": {"retry_after_s": 30},
    }
    assert answer(browser, session["trials"][0]).status_code == 200


@pytest.mark.django_db
@pytest.mark.services
def test_a_fault_of_the_disk_is_answered_with_507(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    studies.visible_batch()
    slug = studies.study().fieldings.get().slug
    monkeypatch.setattr("ratings.api.invitation", full)
    response = stranger().get(f"/api/participate/{slug}")
    assert (response.status_code, response.json()["error"]["code"], response["Retry-After"]) == (507, "no_room", "30")
