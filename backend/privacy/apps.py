"""The app as Django knows it."""

from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "privacy"
