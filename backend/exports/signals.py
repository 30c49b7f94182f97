"""Signals that other modules may connect to."""

from django.dispatch import Signal

# sent when a worker is to make an export, with job_id
export_wanted = Signal()
