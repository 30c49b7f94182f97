"""Endpoints /api/health/report for admins, and /api/announcements for every account."""

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
    state = disk()
    if state.room == Room.OK:
        return []
    return [Announcement(code=f"disk_{state.room}", free_bytes=state.free_bytes, days_left=state.days_left)]
