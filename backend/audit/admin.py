"""The audit log in Django's admin pages, read-only."""

from django.contrib import admin

from audit.models import AuditEntry
from lib.admin import ReadOnlyAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "actor_name", "what", "kind", "target")
    list_filter = ("what",)
    fields = ("at", "actor_name", "what", "kind", "target", "study_sha256", "details")
