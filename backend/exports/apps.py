"""The app as Django knows it; it has no tables of its own."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"
