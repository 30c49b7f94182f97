"""Signals that other apps may connect to."""

from django.dispatch import Signal

# sent after the transaction that stored a verdict, with study_sha256
judged = Signal()
