"""App configuration of the project itself, so that Django finds its commands."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
