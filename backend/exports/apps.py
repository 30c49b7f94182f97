"""The app as Django knows it."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"
