"""Signals that other apps may connect to."""

from django.dispatch import Signal

# sent after a fielding was closed, with study_sha256
fielding_closed = Signal()
