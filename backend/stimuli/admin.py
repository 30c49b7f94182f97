"""Batches in Django's admin pages, to look at."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from stimuli.models import Batch, Clip

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


class ReadOnlyAdmin(AnyAdmin):
    """Rows that nobody edits by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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
