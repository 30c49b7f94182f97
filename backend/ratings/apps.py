"""The app as Django knows it."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"
