"""The frame as an app, so that its commands and tasks are found."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
