"""The app as Django knows it."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "audit"
