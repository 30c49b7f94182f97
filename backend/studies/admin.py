"""Studies and fieldings in Django's admin pages, read-only: fieldings change state through the API."""

from django.contrib import admin

from lib.admin import ReadOnlyAdmin
from studies.models import Fielding, Study


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ("name", "sha256", "published_at")


@admin.register(Fielding)
class FieldingAdmin(ReadOnlyAdmin):
    list_display = ("slug", "study", "state", "quota_sessions", "sessions_without_assignment")
    list_filter = ("state",)
