"""Sets Django up, since a snapshot's columns and a study's frozen form are defined in the backend."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
