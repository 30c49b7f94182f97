"""The app as Django knows it."""

from django.apps import AppConfig


class StimuliConfig(AppConfig):
    name = "stimuli"
