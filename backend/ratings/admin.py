"""Sessions, votes and exclusions in Django's admin pages, read-only."""

from django.contrib import admin

from lib.admin import ReadOnlyAdmin
from ratings.models import Exclusion, Session, Vote


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ("id", "fielding", "state", "started_at", "completed_at")
    list_filter = ("state",)
    exclude = ("token_sha256", "other_token_sha256")


@admin.register(Vote)
class VoteAdmin(ReadOnlyAdmin):
    list_display = ("id", "kind", "context", "position", "received_at")
    list_filter = ("kind",)


@admin.register(Exclusion)
class ExclusionAdmin(ReadOnlyAdmin):
    list_display = ("session", "rule", "excluded_at")
