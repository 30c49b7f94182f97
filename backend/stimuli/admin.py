"""Batches in Django's admin pages, read-only."""

from django.contrib import admin

from lib.admin import ReadOnlyAdmin
from stimuli.models import Batch, Clip


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    list_display = ("campaign", "sha256", "state", "created_at", "received_at")
    list_filter = ("state",)
    exclude = ("manifest_text",)


@admin.register(Clip)
class ClipAdmin(ReadOnlyAdmin):
    list_display = ("site", "network", "kind", "run", "duration_ms", "batch")
    list_filter = ("kind", "network")
    list_select_related = ("batch",)
