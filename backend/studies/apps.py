"""The app as Django knows it."""

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    name = "studies"
