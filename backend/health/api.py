"""/api/health/report for admins, /api/announcements for every account, /metrics for Prometheus."""

from django.http import HttpRequest
from ninja import Router

from accounts.permissions import admin, any_account
from health.disk import Room, disk
from health.report import Report, report
from health.schemas import Announcement, HealthReport

router = Router(tags=["health"])


@router.get("/health/report", response=HealthReport, auth=admin)
def get_report(request: HttpRequest) -> Report:
    return report()


@router.get("/announcements", response=list[Announcement], auth=any_account)
def announcements(request: HttpRequest) -> list[Announcement]:
    found = disk()
    if found.room == Room.OK:
        return []
    return [Announcement(code=f"disk_{found.room}", free_bytes=found.free_bytes, days_left=found.days_left)]
